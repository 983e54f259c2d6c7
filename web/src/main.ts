import { h, render } from "preact";
import "./theme.css";
import { App } from "./shell/app";
import { fetchPageAhead } from "./shell/pages";
import { follow } from "./state/board";
import { bindThemeToPage } from "./state/theme";
import { bindViewToAddress } from "./state/view";

bindViewToAddress();
bindThemeToPage();
fetchPageAhead();
follow();

const place = document.getElementById("app");
if (place !== null) render(h(App, null), place);
