// The hub's page: a separate entry of the web build, with the widgets, themes and languages of the board's page.

import { h, render } from "preact";
import "../theme.css";
import { bindPreferencesToPage } from "./preferences";
import { bindRouterToAddress } from "./router";
import { loadSession } from "./session";
import { Shell } from "./shell";

bindRouterToAddress();
bindPreferencesToPage();
void loadSession();

const place = document.getElementById("app");
if (place !== null) render(h(Shell, null), place);
