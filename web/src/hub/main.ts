// The hub's page: a separate entry of the web build, with the widgets, themes and languages of the board's page.

import { h, render } from "preact";
import "../theme.css";
import { askForRowsAhead } from "./boards/board_list";
import { pageAt } from "./pages";
import { bindPreferencesToPage } from "./preferences";
import { address, bindRouterToAddress } from "./router";
import { bindSessionToAddress, loadSession } from "./session";
import { Shell } from "./shell";

bindRouterToAddress();
bindPreferencesToPage();
bindSessionToAddress();
void loadSession();
if (pageAt(address.value) === "boards") askForRowsAhead(address.value.query);

const place = document.getElementById("app");
if (place !== null) render(h(Shell, null), place);
