// Says why an image is not shown, and offers the file.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { formatBytes } from "../../base/sizes";
import { asProblem } from "../../state/board";
import type { KindCard } from "../../state/card_keys";
import { imageFacts } from "../../state/media";
import * as imagesWords from "../../state/texts/images";
import { spoken } from "../../state/view";
import { fileName } from "../../widgets/files";
import type { Wanted } from "./loaded_picture";

type Properties = { readonly card: KindCard; readonly wanted: Wanted };

export function PictureProblem({ card, wanted }: Properties): JSX.Element {
  const words = spoken(imagesWords);
  const reason = useSignal<string | null>(null);
  useEffect(() => {
    let cancelled = false;
    reason.value = null;
    imageFacts(wanted.whole).then(
      ({ bytes, content_type: type }) => {
        if (cancelled) return;
        const { empty, damaged, unknown } = spoken(imagesWords);
        if (bytes === 0) reason.value = empty;
        else reason.value = type.startsWith("image/") ? damaged(type, formatBytes(bytes)) : unknown(formatBytes(bytes));
      },
      (error: unknown) => {
        if (!cancelled) reason.value = asProblem(error).message;
      },
    );
    return () => {
      cancelled = true;
    };
  }, [wanted.whole, reason]);
  return (
    <div class="card__message" role="alert" data-step={wanted.step}>
      <strong>{words.cannotShow}</strong>
      <span>{reason.value ?? words.cannotShowHint}</span>
      {reason.value !== words.empty && (
        <a href={wanted.whole} download={fileName(`${card.tag}_${card.run}_${wanted.step}`, "")}>
          {words.download}
        </a>
      )}
    </div>
  );
}
