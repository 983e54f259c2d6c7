// The newest images, videos, clips and texts of a run, and links to pages of its other kinds.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { UserMarkup } from "../../cards/user_markup";
import { asProblem } from "../../state/board";
import {
  MEDIA_KINDS,
  type MediaKind,
  type Medium,
  newestMedia,
  newestText,
  type TagsOfRun,
} from "../../state/run_media";
import { tickOnly } from "../../state/runs";
import { changeView, dateText, texts } from "../../state/view";
import { Button } from "../../widgets/button";
import "./run_media.css";

type Properties = {
  readonly run: string;
  readonly tags: TagsOfRun;
  /** Tags of each kind that are shown. */
  readonly most: number;
};

export function RunMedia({ run, tags, most }: Properties): JSX.Element {
  return (
    <div class="run-media">
      {MEDIA_KINDS.map(
        (kind) =>
          (tags[kind] ?? []).length > 0 && (
            <MediaOfKind key={kind} run={run} kind={kind} tags={tags[kind] ?? []} most={most} />
          ),
      )}
    </div>
  );
}

type KindProperties = Omit<Properties, "tags"> & { readonly kind: MediaKind; readonly tags: readonly string[] };

function MediaOfKind({ run, kind, tags, most }: KindProperties): JSX.Element {
  const words = texts.value.shell.kinds;
  const media = useSignal<readonly Medium[]>([]);
  const problem = useSignal("");
  const key = JSON.stringify(tags.slice(0, most));
  useEffect(() => {
    let current = true;
    newestMedia(run, kind, JSON.parse(key) as readonly string[]).then(
      (found) => {
        if (current) media.value = found;
      },
      (error: unknown) => {
        if (current) problem.value = asProblem(error).message;
      },
    );
    return () => {
      current = false;
    };
  }, [run, kind, key, media, problem]);
  return (
    <section class="run-media__kind" data-media={kind}>
      <h3>
        {words[kind] ?? kind}
        <OpenKind run={run} kind={kind} label={texts.value.runs.openAll(tags.length)} />
      </h3>
      {problem.value !== "" && <p class="quiet">{problem.value}</p>}
      <div class={kind === "text" ? "run-media__texts" : "run-media__grid"}>
        {media.value.map((one) => (
          <MediumView key={one.tag} run={run} medium={one} />
        ))}
      </div>
    </section>
  );
}

type OpenProperties = {
  readonly run: string;
  readonly kind: string;
  readonly label: string;
  /** With a frame, where it is not part of a heading. */
  readonly plain?: boolean;
};

/** Opens the page of the kind with only this run. */
export function OpenKind({ run, kind, label, plain = false }: OpenProperties): JSX.Element {
  return (
    <Button
      label={label}
      icon="right"
      kind={plain ? "plain" : "quiet"}
      title={`${texts.value.shell.kinds[kind] ?? kind}: ${label}`}
      onClick={() => {
        tickOnly([run]);
        changeView({ page: kind }, { entry: true });
      }}
    />
  );
}

function MediumView({ run, medium }: { readonly run: string; readonly medium: Medium }): JSX.Element {
  const { tag, step, wall } = medium;
  return (
    <figure class="run-media__one">
      <MediumContent run={run} medium={medium} />
      <figcaption title={dateText(wall, "second") ?? undefined}>
        <bdi>{tag}</bdi> <span class="quiet">{texts.value.cards.atStep(step)}</span>
      </figcaption>
    </figure>
  );
}

function MediumContent({ run, medium }: { readonly run: string; readonly medium: Medium }): JSX.Element {
  const { kind, tag, address } = medium;
  if (kind === "images") return <img src={address} alt={tag} loading="lazy" />;
  if (kind === "video") return <Video address={address} tag={tag} />;
  // biome-ignore lint/a11y/useMediaCaption: logged sounds have no captions
  if (kind === "audio") return <audio src={address} controls preload="none" aria-label={tag} />;
  return <Text run={run} tag={tag} />;
}

/** A video, or an animated GIF, which the browser does not play as a video. */
function Video({ address, tag }: { readonly address: string; readonly tag: string }): JSX.Element {
  const still = useSignal(false);
  if (still.value) return <img src={address} alt={tag} loading="lazy" />;
  return (
    <video src={address} controls muted preload="metadata" aria-label={tag} onError={() => (still.value = true)} />
  );
}

function Text({ run, tag }: { readonly run: string; readonly tag: string }): JSX.Element {
  const html = useSignal("");
  const problem = useSignal("");
  useEffect(() => {
    let current = true;
    newestText(run, tag).then(
      (found) => {
        if (current) html.value = found;
      },
      (error: unknown) => {
        if (current) problem.value = asProblem(error).message;
      },
    );
    return () => {
      current = false;
    };
  }, [run, tag, html, problem]);
  if (problem.value !== "") return <p class="quiet">{problem.value}</p>;
  return <UserMarkup className="run-media__text" html={html.value} />;
}
