// The admin page: the hub at a glance, users, all workspaces, settings, the audit log. For admins of the hub only.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Checkbox } from "../../widgets/checkbox";
import { fetchWorkspaces } from "../api/people";
import { spoken } from "../preferences";
import * as area from "../texts/admin";
import { Audit } from "./audit";
import { currentTab, Frame, Tabbed } from "./frame";
import { HubSettingsTab } from "./hub_settings";
import { Loaded, useLoaded } from "./loaded";
import { OverviewTab } from "./overview";
import { Users } from "./users";
import { WorkspaceList } from "./workspaces";

const TABS = ["overview", "users", "workspaces", "settings", "audit"] as const;

export function Page(): JSX.Element {
  const words = spoken(area);
  const tab = currentTab(TABS);
  return (
    <Frame page="admin" title={words.title}>
      <Tabbed label={words.title} selected={tab} tabs={TABS.map((key) => ({ key, label: words.tabs[key] }))}>
        {tab === "overview" && <OverviewTab />}
        {tab === "users" && <Users />}
        {tab === "workspaces" && <AllWorkspaces />}
        {tab === "settings" && <HubSettingsTab />}
        {tab === "audit" && <Audit />}
      </Tabbed>
    </Frame>
  );
}

function AllWorkspaces(): JSX.Element {
  const words = spoken(area).workspaces;
  const shared = useSignal(false);
  const load = useLoaded("all", (signal) => fetchWorkspaces(false, signal));
  return (
    <>
      <div class="people-row">
        <p class="people-quiet">{words.intro}</p>
        <Checkbox
          label={words.hidePersonal}
          checked={shared.value}
          onChange={(on) => {
            shared.value = on;
          }}
        />
      </div>
      <Loaded load={load}>
        {(rows) => <WorkspaceList rows={shared.value ? rows.filter((row) => !row.personal) : rows} />}
      </Loaded>
    </>
  );
}
