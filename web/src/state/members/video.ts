// Members of the video page.

import { type Fields, flagField, numberField } from "../fields";

export type VideoMembers = {
  readonly videoSpeed: number;
  readonly videoLoop: boolean;
  readonly videoSound: boolean;
  /** Playing, seeking and stepping in one card affects all visible ones. */
  readonly videoLink: boolean;
};

export const videoMembers: Fields<VideoMembers> = {
  videoSpeed: numberField(1, 0.1, 8),
  videoLoop: flagField(true),
  videoSound: flagField(false),
  videoLink: flagField(false),
};
