// Follows the start of a board and opens it when it answers; the button starts a stopped board. Leads visitors without an
// account to the sign-in.
"use strict";

const PAUSE_MS = 300;
const phase = document.getElementById("phase");
const bar = document.getElementById("progress");
const button = document.getElementById("start");

function show(progress) {
  const text = phase.dataset[progress.phase] ?? "";
  phase.textContent = text
    .replace("{read}", String(progress.files_read))
    .replace("{total}", String(progress.files_total))
    .replace("{percent}", String(progress.percent));
  if (bar !== null && progress.phase === "reading") bar.value = progress.percent;
}

async function follow() {
  for (;;) {
    try {
      const answer = await fetch(phase.dataset.progress, { headers: { accept: "application/json" } });
      const progress = await answer.json();
      if (answer.status !== 200 || progress.state !== "Starting") return location.reload();
      show(progress);
    } catch {
      // the hub restarts, or the network is away: ask again
    }
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
}

async function start() {
  button.disabled = true;
  try {
    const me = await (await fetch("/api/v1/me", { headers: { accept: "application/json" } })).json();
    const headers = { "content-type": "application/json", "x-lightboard-csrf": me.csrf ?? "" };
    const answer = await fetch(button.dataset.start, { method: "POST", headers, body: "{}" });
    if (answer.ok) return location.reload();
    const problem = await answer.json();
    button.insertAdjacentText("afterend", `${problem.message ?? ""} ${problem.hint ?? ""}`);
  } catch {
    button.disabled = false;
  }
}

const signIn = document.getElementById("sign-in");
if (signIn !== null) {
  // the view of the board is after #, which no server sees
  location.replace(`/#/sign-in?next=${encodeURIComponent(signIn.dataset.next + location.hash)}`);
}
if (phase !== null) {
  // a page that was sent because the board did not answer waits a moment before it asks
  setTimeout(follow, "again" in phase.dataset ? 1000 : 0);
}
if (button !== null) {
  button.hidden = false;
  button.addEventListener("click", start);
}
