// A table of rows that fit on a page. In narrow windows each row becomes a card, with the titles of columns beside the
// values.

import type { ComponentChildren, JSX } from "preact";
import "./people.css";

export type Column<T> = {
  readonly key: string;
  /** Empty for a column of buttons. */
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
};

type Properties<T> = {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly testId?: string;
};

export function DataTable<T>({ label, columns, rows, keyOf, testId }: Properties<T>): JSX.Element {
  return (
    <div class="people-table">
      <table aria-label={label} data-testid={testId}>
        <thead>
          <tr>
            {columns.map(({ key, title }) => (
              <th key={key} scope="col" class={`people-table__${key}`}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-row={keyOf(row)}>
              {columns.map(({ key, title, cell }) => (
                <td key={key} class={`people-table__${key}`} data-title={title}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
