// Tells public/early.js which files the page of an address needs beside those of the first load, so that they are
// fetched at once and not after the first script has run: in the HTML,
// as <meta name="pages" content="images a.js b.css;…">.

import type { Plugin, Rolldown } from "vite";

const PAGE = /\/panels\/\w+\/(\w+)_(?:panel|page)\.tsx$/;
const PLACE = '<meta name="pages" content="" />';

export function pagesAhead(): Plugin {
  return {
    name: "pages-ahead",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle = {} }) => {
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const first = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap((entry) => filesOf(entry, bundle)));
        const pages = chunks.flatMap((chunk): readonly string[] => {
          const page = PAGE.exec(chunk.facadeModuleId ?? "")?.[1];
          if (page === undefined || !chunk.isDynamicEntry) return [];
          return [[page, ...filesOf(chunk, bundle).filter((file) => !first.has(file))].join(" ")];
        });
        if (!html.includes(PLACE)) throw new Error(`index.html has no ${PLACE}`);
        return html.replace(PLACE, `<meta name="pages" content="${pages.sort().join(";")}" />`);
      },
    },
  };
}

/** A chunk, what it imports, and the style sheets of both. */
function filesOf(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): readonly string[] {
  const seen = new Set<string>();
  const take = (name: string): void => {
    const file = bundle[name];
    if (seen.has(name) || file?.type !== "chunk") return;
    seen.add(name);
    for (const sheet of file.viteMetadata?.importedCss ?? []) seen.add(sheet);
    for (const imported of file.imports) take(imported);
  };
  take(chunk.fileName);
  return [...seen];
}
