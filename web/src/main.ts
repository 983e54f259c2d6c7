import { h, render } from "preact";
import "./theme.css";
import { App } from "./shell/app";
import { fetchPageAhead } from "./shell/pages";
import { follow } from "./state/board";
import { reportPresence } from "./state/presence";
import { bindThemeToPage } from "./state/theme";
import { bindViewToAddress } from "./state/view";

bindViewToAddress();
bindThemeToPage();
fetchPageAhead();
follow();
reportPresence();

const place = document.getElementById("app");
if (place !== null) render(h(App, null), place);
