// Catches an error in one part of the page, so that the rest keeps working.

import { Component, type ComponentChildren } from "preact";

type Properties = {
  readonly fallback: (error: Error, retry: () => void) => ComponentChildren;
  readonly children: ComponentChildren;
};

type State = { readonly error: Error | null };

export class ErrorBoundary extends Component<Properties, State> {
  override state: State = { error: null };

  static override getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render({ fallback, children }: Properties, { error }: State): ComponentChildren {
    return error === null ? children : fallback(error, () => this.setState({ error: null }));
  }
}
