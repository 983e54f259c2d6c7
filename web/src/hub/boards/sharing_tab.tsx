// Share links of a board: creating one, which is shown once, and a list of all with expiry, visits and revocation.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { tell } from "../../state/toasts";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { Select } from "../../widgets/select";
import { TextField } from "../../widgets/text_field";
import { createShare, fetchShares, revokeShare } from "../api/boards";
import type { Share } from "../api/types";
import { reasonOf } from "../explained";
import { CopyButton } from "../parts/copy_button";
import { Failure } from "../parts/notice";
import { agoText, dateText, grouped, isoText, now, secondsOf, spoken } from "../preferences";
import * as area from "../texts/board";
import * as shellArea from "../texts/shell";
import type { TabProperties } from "./board_page";
import "./sharing_tab.css";

const EXPIRIES = ["1h", "1d", "7d", "30d", "never"] as const;

/** The part of a pasted address after #, or the text itself. */
export function viewOf(text: string): string {
  const trimmed = text.trim();
  const at = trimmed.indexOf("#");
  if (at >= 0) return trimmed.slice(at + 1);
  return /^https?:\/\//.test(trimmed) ? "" : trimmed;
}

export function SharingTab({ board }: TabProperties): JSX.Element {
  const shares = useSignal<readonly Share[] | null>(null);
  const error = useSignal<unknown>(null);
  const load = async (): Promise<void> => {
    try {
      shares.value = (await fetchShares(board.id)).items;
      error.value = null;
    } catch (failure) {
      error.value = failure;
    }
  };
  useEffect(() => {
    void load();
  }, [board.id]);
  if (error.value !== null) return <Failure error={error.value} onRetry={() => void load()} />;
  return (
    <>
      <NewLink id={board.id} onCreated={() => void load()} />
      <Links id={board.id} shares={shares.value} onChanged={() => void load()} />
    </>
  );
}

function NewLink({ id, onCreated }: { readonly id: string; readonly onCreated: () => void }): JSX.Element {
  const words = spoken(area);
  const expires = useSignal<(typeof EXPIRIES)[number]>("7d");
  const view = useSignal("");
  const url = useSignal("");
  const busy = useSignal(false);
  const create = async (): Promise<void> => {
    if (busy.value) return;
    busy.value = true;
    try {
      const share = await createShare(id, { expires_in: expires.value, view: viewOf(view.value) });
      url.value = share.url;
      onCreated();
    } catch (failure) {
      tell(reasonOf(failure), { kind: "error" });
    }
    busy.value = false;
  };
  return (
    <section class="panel">
      <h2>{words.shareTitle}</h2>
      <p class="panel__quiet">{words.shareText}</p>
      <div class="share-form">
        <Select
          label={words.expires}
          value={expires.value}
          options={EXPIRIES.map((value) => ({ value, label: words.expiry[value] }))}
          testId="share-expires"
          onChange={(value) => {
            expires.value = value;
          }}
        />
        <TextField
          label={words.view}
          value={view.value}
          hint={words.viewHint}
          testId="share-view"
          onInput={(text) => {
            view.value = text;
          }}
          onEnter={() => void create()}
        />
      </div>
      <div class="panel__actions">
        <Button
          label={words.createLink}
          icon="link"
          title={words.createLink}
          kind="primary"
          disabled={busy.value}
          testId="create-share"
          onClick={() => void create()}
        />
      </div>
      {url.value !== "" && (
        <div class="new-link" role="status">
          <strong>{words.linkOnce}</strong>
          <div class="new-link__line">
            <input
              class="field__input"
              readOnly
              aria-label={words.newLink}
              value={url.value}
              data-testid="share-url"
              onFocus={(event) => event.currentTarget.select()}
            />
            <CopyButton text={() => url.value} label={spoken(shellArea).copy} kind="plain" testId="copy-share" />
          </div>
        </div>
      )}
    </section>
  );
}

type LinksProperties = {
  readonly id: string;
  readonly shares: readonly Share[] | null;
  readonly onChanged: () => void;
};

function Links({ id, shares, onChanged }: LinksProperties): JSX.Element {
  const words = spoken(area);
  const asked = useSignal<Share | null>(null);
  return (
    <section class="panel">
      <h2>{words.links}</h2>
      {shares !== null && shares.length === 0 && <p class="panel__quiet">{words.noLinks}</p>}
      <ul class="share-list" data-testid="shares">
        {(shares ?? []).map((share) => (
          <ShareItem
            key={share.id}
            share={share}
            onRevoke={() => {
              asked.value = share;
            }}
          />
        ))}
      </ul>
      {asked.value !== null && (
        <RevokeDialog
          id={id}
          share={asked.value}
          onClose={() => {
            asked.value = null;
          }}
          onRevoked={onChanged}
        />
      )}
    </section>
  );
}

type ShareState = "works" | "expired" | "revoked";

function stateOf({ revoked, expires }: Share): ShareState {
  if (revoked !== null && revoked !== false) return "revoked";
  const end = secondsOf(expires);
  return end !== null && end <= now.value ? "expired" : "works";
}

function ShareItem({ share, onRevoke }: { readonly share: Share; readonly onRevoke: () => void }): JSX.Element {
  const words = spoken(area);
  const state = stateOf(share);
  const ends = share.expires === null ? words.expiresNever : words.expiresAt(dateText(share.expires));
  const facts = [
    state === "works" ? ends : words[state],
    share.uses === 0 ? words.noUses : words.uses(grouped(share.uses), share.uses !== 1),
    share.last_used === null ? "" : agoText(share.last_used),
    share.view === "" ? "" : words.withView,
  ].filter((text) => text !== "");
  return (
    <li class="share-item" data-share={share.id} data-state={state}>
      <div class="share-item__text">
        <span title={isoText(share.created)}>{words.linkOf(share.created_by, dateText(share.created))}</span>
        <span class="panel__quiet" title={share.view === "" ? undefined : share.view}>
          {facts.join(" · ")}
        </span>
      </div>
      {state === "works" && (
        <Button
          label={words.revoke}
          title={words.revoke}
          kind="danger"
          testId={`revoke-${share.id}`}
          onClick={onRevoke}
        />
      )}
    </li>
  );
}

type RevokeProperties = {
  readonly id: string;
  readonly share: Share;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
};

function RevokeDialog({ id, share, onClose, onRevoked }: RevokeProperties): JSX.Element {
  const words = spoken(area);
  const revoke = async (): Promise<void> => {
    try {
      await revokeShare(id, share.id);
      tell(words.linkRevoked);
    } catch (failure) {
      tell(reasonOf(failure), { kind: "error" });
    }
    onClose();
    onRevoked();
  };
  return (
    <Dialog
      title={words.revoke}
      testId="revoke-dialog"
      onClose={onClose}
      actions={
        <>
          <Button label={spoken(shellArea).cancel} title={spoken(shellArea).cancel} onClick={onClose} />
          <Button
            label={words.revoke}
            title={words.revoke}
            kind="danger"
            testId="revoke-confirm"
            onClick={() => void revoke()}
          />
        </>
      }
    >
      <p>{words.revokeTitle}</p>
    </Dialog>
  );
}
