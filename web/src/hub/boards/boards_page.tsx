import type { JSX } from "preact";
import { Loading } from "../parts/notice";

export function Page(): JSX.Element {
  return <Loading />;
}
