// Compile-time only: what the hub answers (generated.ts) fits the shapes that pages work with, and what pages send fits
// the bodies that the hub takes. `tsc` fails here if one of them changes alone.

import type * as boards from "./boards";
import type * as made from "./generated";
import type * as jobs from "./jobs";
import type * as people from "./people";
import type * as shapes from "./types";
import type * as uploads from "./uploads";

/** `Made` may be used wherever `Wanted` is expected. */
type Fits<Wanted, Made extends Wanted> = [Wanted, Made];

export type Answers = [
  Fits<shapes.Problem, made.Problem>,
  Fits<shapes.Board, made.Board>,
  Fits<shapes.BoardPage, made.BoardPage>,
  Fits<shapes.Found, made.Found>,
  Fits<shapes.BoardEvent, made.BoardEvent>,
  Fits<shapes.Usage, made.Usage>,
  Fits<shapes.Progress, made.Progress>,
  Fits<shapes.Share, made.Share>,
  Fits<shapes.Quota, made.Quota>,
  Fits<shapes.Me, made.Me>,
  Fits<shapes.Secret, made.Secret & { kind: shapes.SecretKind }>,
  Fits<people.WorkspaceRow, made.Workspace>,
  Fits<people.Member, made.Member>,
  Fits<people.Person, made.FoundPerson>,
  Fits<people.Overview, made.Overview>,
  Fits<jobs.Job, made.Job>,
  Fits<jobs.JobDetail, made.JobDetail>,
  Fits<uploads.Upload, made.Upload & { visibility: shapes.Visibility }>,
  Fits<uploads.Removed, made.Removed>,
];

export type Bodies = [Fits<made.NewBoard, boards.NewBoard>, Fits<made.BoardChanges, boards.BoardChange>];
