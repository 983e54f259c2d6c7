// The film of each card on the page, for keys that act on the card under the cursor.

import { bindCardKeys } from "./card_shortcuts";
import { type Film, stepFrames, togglePlay } from "./film";

const films = new Map<string, Film>();

export function setFilmOfCard(cardKey: string, film: Film): () => void {
  films.set(cardKey, film);
  return () => {
    if (films.get(cardKey) === film) films.delete(cardKey);
  };
}

/** Binds K (play), comma and full stop (frame by frame); returns a function that unbinds them. */
export function bindFilmKeys(): () => void {
  const withFilm = (work: (film: Film) => void) => (cardKey: string) => {
    const film = films.get(cardKey);
    if (film !== undefined) work(film);
  };
  return bindCardKeys(
    {
      k: withFilm(togglePlay),
      ",": withFilm((film) => stepFrames(film, -1)),
      ".": withFilm((film) => stepFrames(film, 1)),
    },
    [",", "."],
  );
}
