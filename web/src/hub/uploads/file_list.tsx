// The files of an upload, in the order of their paths, a page at a time. A click downloads one.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { formatBytes } from "../../base/sizes";
import { Button } from "../../widgets/button";
import { fileAddress, listFiles, type Upload, type UploadFile } from "../api/uploads";
import { reasonOf } from "../explained";
import { spoken } from "../preferences";
import * as area from "../texts/uploads";

const PAGE = 100;

type Files = { readonly items: readonly UploadFile[]; readonly next: string };

export function FileList({ upload }: { readonly upload: Upload }): JSX.Element {
  const words = spoken(area);
  const files = useSignal<Files | null>(null);
  const problem = useSignal("");
  const count = Math.max(PAGE, files.value?.items.length ?? 0);
  useEffect(() => {
    let over = false;
    listFiles(upload.id, "", count).then(
      ({ items, next_after }) => {
        if (over) return;
        files.value = { items, next: next_after };
        problem.value = "";
      },
      (error: unknown) => {
        if (!over) problem.value = reasonOf(error);
      },
    );
    return () => {
      over = true;
    };
  }, [upload.id, upload.bytes, upload.files]);
  const more = async (): Promise<void> => {
    const now = files.peek();
    if (now === null) return;
    try {
      const { items, next_after } = await listFiles(upload.id, now.next, PAGE);
      files.value = { items: [...now.items, ...items], next: next_after };
    } catch (error) {
      problem.value = reasonOf(error);
    }
  };
  const shown = files.value;
  return (
    <section class="panel overview__wide" data-testid="files">
      <h2>{words.files}</h2>
      {problem.value !== "" && <p role="alert">{problem.value}</p>}
      {shown !== null && shown.items.length === 0 && <p class="panel__quiet">{words.noFiles}</p>}
      {shown !== null && shown.items.length > 0 && (
        <table class="file-table">
          <thead>
            <tr>
              <th scope="col">{words.file}</th>
              <th scope="col" class="file-table__size">
                {words.bytes}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.items.map(({ path, size }) => (
              <tr key={path}>
                <td>
                  <a href={fileAddress(upload.id, path)} download title={words.download(path)}>
                    {path}
                  </a>
                </td>
                <td class="file-table__size">{formatBytes(size)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {shown !== null && shown.next !== "" && (
        <div class="panel__actions">
          <Button label={words.moreFiles} title={words.moreFiles} testId="more-files" onClick={() => void more()} />
        </div>
      )}
    </section>
  );
}
