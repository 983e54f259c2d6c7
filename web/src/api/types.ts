// Made by tools/generate_api_types.py from the server's dataclasses. Do not edit; run it again.
// Numbers that JSON or a browser cannot carry are strings: "NaN", "Infinity", "-Infinity", integers beyond 2^53 - 1.

/** A run that might have been a trial and is none. */
export type Absent = {
  readonly run: string;
  readonly reason: "no_hparams" | "unreadable" | "only_end" | "text_unreadable";
  /** the tag that could not be understood */
  readonly detail: string;
};

/** Times in seconds since 1970. */
export type ActivityAnswer = {
  /** a page was visible, or a program asked for data */
  readonly last_look: number;
  /** … and the page had been touched within half an hour */
  readonly last_use: number;
  /** "start", "page" or "request" */
  readonly by: string;
};

export type Annotations = {
  /** of the store */
  readonly version: number;
  /** by name, runs that are gone too */
  readonly runs: Readonly<Record<string, Remarks>>;
  /** whether this board can keep changes */
  readonly writable: boolean;
  /** the directory they are kept in; "" where they are not */
  readonly place: string;
};

/** What a clip is, told by its head. None: it does not say. */
export type AudioFacts = {
  readonly content_type: string;
  readonly bytes: number;
  readonly codec: string;
  readonly rate_hz: number | null;
  readonly channels: number | null;
  /** of a sample */
  readonly bits: number | null;
  readonly seconds: number | null;
  /** false: the clip ends before it should */
  readonly whole: boolean;
  /** as it was logged beside the clip, often empty */
  readonly label: string;
  /** the same, its Markdown as safe HTML */
  readonly label_html: string;
};

export type Board = {
  /** for the window's title */
  readonly name: string;
  /** version of the program */
  readonly lightboard: string;
  /** as the user gave it */
  readonly logdir: string;
  /** what is shown unless a request says otherwise */
  readonly rewinds: string;
  /** changes when the board is started again: versions and run ids then mean something else */
  readonly session: string;
  /** of the store; grows with every change */
  readonly version: number;
  readonly progress: Progress;
  readonly counts: Counts;
  readonly faults: number;
  /** files that no page shows */
  readonly unshown: readonly Unshown[];
  /** where the board looks for logs, and what it finds there */
  readonly places: readonly Place[];
};

/** Its steps are those from `first` on, so many, in the arrays of steps. */
export type BucketSeries = {
  readonly run: string;
  readonly tag: string;
  readonly first: number;
  readonly steps: number;
  /** it has in the range, told or not */
  readonly points: number;
  /** chosen steps that hold no buckets and are left out */
  readonly odd: number;
};

/** One tag's columns, parallel to the table's `run`; None where a run does not have the tag. */
export type Cells = {
  readonly first: readonly (number | string | null)[];
  readonly last: readonly (number | string | null)[];
  readonly min: readonly (number | string | null)[];
  readonly max: readonly (number | string | null)[];
  readonly last_step: readonly (number | string | null)[];
  readonly points: readonly (number | null)[];
};

/** One message. `runs` and `tags` say "all" where there are too many to name. */
export type Change = {
  /** a new one means that the board was started again */
  readonly session: string;
  readonly version: number;
  readonly progress: Progress;
  readonly runs: readonly string[] | "all";
  /** by kind */
  readonly tags: Readonly<Record<string, readonly string[] | "all">>;
  /** in total, not only new ones */
  readonly faults: number;
  /** what people say about runs has changed: ask /api/annotations */
  readonly annotations: boolean;
  /** a view was saved or deleted: ask /api/views */
  readonly views: boolean;
};

export type ColumnHeader = {
  readonly column: string;
  readonly kind: "number" | "text";
  readonly distinct: number;
  /** the first ones; `codes` count from 0 in this order */
  readonly values: readonly string[];
  /** of a column of numbers */
  readonly min: number | null;
  readonly max: number | null;
};

/** Words that may stand in place of the one left of the cursor, best first. */
export type Completions = {
  readonly words: readonly string[];
};

/** Columns, one entry per line, the newest last. */
export type ConsoleText = {
  readonly time: readonly number[];
  /** `stdout` or `stderr` */
  readonly stream: readonly string[];
  readonly text: readonly string[];
  /** lines between these that were not recorded, because the program printed too fast */
  readonly dropped: number;
  /** there are lines before these */
  readonly earlier: boolean;
};

export type Counts = {
  readonly runs: number;
  readonly files: number;
  readonly series: number;
  readonly points: number;
  /** by kind */
  readonly tags: Readonly<Record<string, number>>;
};

/** One step of one series. Its numbers are those from `first` on, one for each threshold, in every array. */
export type Curve = {
  readonly run: string;
  readonly tag: string;
  /** None: there is no such point */
  readonly step: number | string | null;
  readonly wall_time: number | string | null;
  readonly first: number;
  readonly thresholds: number;
  /** precision means something up to this one */
  readonly defined: number;
  readonly average_precision: number | null;
  readonly roc_area: number | null;
  readonly best_f1: number | null;
  /** where F1 is best */
  readonly best_threshold: number | null;
  /** why there are no numbers */
  readonly problem: Explanation | null;
};

/** Header of a frame of curves. */
export type CurvesHeader = {
  /** of the store */
  readonly version: number;
  /** as they were asked for */
  readonly curves: readonly Curve[];
};

/** Three tags: a line and the edges around it. */
export type CustomBand = {
  readonly value: string;
  readonly lower: string;
  readonly upper: string;
};

export type CustomCategory = {
  readonly title: string;
  readonly closed: boolean;
  readonly charts: readonly CustomChart[];
};

/** Lines of tags by regular expression, or bands. */
export type CustomChart = {
  readonly title: string;
  readonly patterns: readonly string[];
  readonly bands: readonly CustomBand[];
};

/** The layouts of all runs as one, and what patterns match: its own and those asked for. */
export type CustomScalars = {
  /** of the store */
  readonly version: number;
  /** that have a layout */
  readonly runs: readonly string[];
  readonly categories: readonly CustomCategory[];
  readonly matches: readonly TagMatch[];
};

export type Descriptions = {
  /** what most runs say first; empty where nobody said anything */
  readonly said: readonly Said[];
};

/** Header of a frame of distributions. */
export type DistributionsHeader = {
  /** of the store, for the next `since` */
  readonly version: number;
  /** what the columns of `value` are: TensorBoard's nine */
  readonly basis_points: readonly number[];
  /** what the columns of `percentile` are: those asked for */
  readonly percentiles: readonly number[];
  readonly series: readonly BucketSeries[];
};

export type Embedding = {
  readonly run: string;
  /** unique within the run; may be empty */
  readonly name: string;
  /** None: not counted yet, ask for this one alone */
  readonly rows: number | null;
  readonly dims: number | null;
  /** tsv, bytes, checkpoint, keras; "" where it cannot be read */
  readonly source: string;
  /** of the tensor, relative to the config */
  readonly path: string;
  readonly metadata: Metadata | null;
  readonly sprite: Sprite | null;
  readonly bookmarks: boolean;
  /** why its numbers cannot be shown */
  readonly problem: Explanation | null;
  readonly notes: readonly Note[];
};

/** A sentence about something that went wrong, and what the page needs to say it in another language. */
export type Explanation = {
  readonly message: string;
  readonly hint: string;
  readonly code: string;
  readonly parameters: Readonly<Record<string, unknown>>;
};

export type ExpressionAnswer = {
  /** the expression with every tag in quotes: what other routes take as `tag` */
  readonly tag: string;
  /** the metrics it needs */
  readonly tags: readonly string[];
  /** how many runs have them all */
  readonly runs: number;
  /** the mistake in the text; the other members are then empty */
  readonly error: Problem | null;
};

/** `low` to `high` is the range for a y axis, without outliers. All None when there is no finite value. */
export type Extent = {
  readonly low: number | null;
  readonly high: number | null;
  readonly min: number | null;
  readonly max: number | null;
};

/** The body of every error below /api. */
export type Failure = {
  readonly error: Problem;
};

/** One event file of a run. */
export type File = {
  readonly path: string;
  readonly size: number;
  readonly records: number;
  readonly bad_records: number;
  readonly start_time: number | null;
  readonly last_time: number | null;
  /** the first hundred */
  readonly faults: readonly FileFault[];
};

export type FileFault = {
  readonly offset: number;
  /** one word */
  readonly reason: string;
  /** a sentence */
  readonly detail: string;
  /** of the sentence; "" if it was recorded without one */
  readonly code: string;
  readonly parameters: Readonly<Record<string, unknown>>;
};

/** The runs that pass, in natural order, or the mistake in the filter. */
export type FilterAnswer = {
  readonly run: readonly string[];
  readonly error: Problem | null;
};

/** One attribute of a node. `text` is empty where it is too large to be shown. */
export type GraphAttribute = {
  readonly name: string;
  /** s, i, f, b, type, shape, tensor, list, func, placeholder; "" where nothing is set */
  readonly kind: string;
  readonly text: string;
  readonly bytes: number;
  readonly large: boolean;
};

/** A node that takes an output of this one. */
export type GraphConsumer = {
  readonly node: number;
  readonly slot: number;
  readonly control: boolean;
};

/** One graph that can be asked for. */
export type GraphEntry = {
  readonly run: string;
  /** "__run_graph__" for the graph of the run itself */
  readonly tag: string;
  readonly source: "run_graph" | "function_trace" | "keras" | "uploaded";
  readonly step: number;
  readonly wall_time: number;
  /** known once it has been looked at */
  readonly nodes: number | null;
  readonly edges: number | null;
};

/** One function of the library: its nodes follow one another from `first` on. */
export type GraphFunction = {
  readonly name: string;
  readonly first: number;
  readonly nodes: number;
};

/** Header of a frame of one graph. */
export type GraphHeader = {
  readonly run: string;
  readonly tag: string;
  readonly source: "run_graph" | "function_trace" | "keras" | "uploaded";
  /** of an uploaded file */
  readonly name: string;
  /** names this very graph; for /api/graphs/node and /api/graphs/stats */
  readonly key: string;
  readonly step: number;
  readonly wall_time: number;
  readonly bytes: number;
  readonly nodes: number;
  readonly edges: number;
  /** version of the writer's graphs */
  readonly producer: number;
  readonly ops: readonly string[];
  readonly devices: readonly string[];
  /** `2×?×3`, `scalar` */
  readonly shapes: readonly string[];
  /** of XLA */
  readonly clusters: readonly string[];
  readonly functions: readonly GraphFunction[];
  readonly problems: readonly GraphProblem[];
};

/** What stands in a node's list of inputs; `node` is -1 where nothing in the graph has that name. */
export type GraphInput = {
  readonly text: string;
  readonly node: number;
  readonly slot: number;
  readonly control: boolean;
};

/** All graphs of the board, in the order found. */
export type GraphList = {
  readonly version: number;
  readonly graphs: readonly GraphEntry[];
  readonly metadata: readonly GraphMetadataEntry[];
};

/** Times and memory of one session or traced function. */
export type GraphMetadataEntry = {
  readonly run: string;
  readonly tag: string;
  readonly step: number;
  readonly wall_time: number;
};

/** All that is known of one node. */
export type GraphNode = {
  readonly key: string;
  readonly node: number;
  readonly name: string;
  readonly op: string;
  readonly device: string;
  readonly kind: string;
  /** of the library, -1: the graph itself */
  readonly function: number;
  /** of its outputs, "" where not known */
  readonly shapes: readonly string[];
  readonly attributes: readonly GraphAttribute[];
  readonly inputs: readonly GraphInput[];
  readonly consumers: readonly GraphConsumer[];
  /** of all, also those left out of a very long list */
  readonly consumer_count: number;
  /** functions of the library */
  readonly calls: readonly number[];
};

/** Something odd in the graph, as a code the page puts into words: cut, duplicate_name, missing_input … */
export type GraphProblem = {
  readonly code: string;
  readonly count: number;
  readonly examples: readonly string[];
};

/** Header of a frame of what was recorded: a row per node and device it ran on. */
export type GraphStatsHeader = {
  readonly run: string;
  readonly tag: string;
  /** of the graph whose nodes are meant; "" where none was named */
  readonly key: string;
  readonly devices: readonly string[];
  readonly rows: number;
  /** rows whose node is in the graph */
  readonly matched: number;
  /** estimates of the cost model, as no times were recorded */
  readonly costs: boolean;
  /** False: some of it could not be read */
  readonly whole: boolean;
};

/** Runs told together as one band. Its stretch of the band arrays is `length` long, groups one after another. */
export type Group = {
  /** position in `tags` */
  readonly tag: number;
  readonly label: string;
  /** positions in `runs` */
  readonly runs: readonly number[];
  readonly length: number;
  readonly edges?: readonly number[];
};

export type Health = {
  readonly version: number;
  readonly files: readonly SickFile[];
  readonly notices: readonly Explanation[];
};

/** The last sign of life of a run that gives any. */
export type Heartbeat = {
  readonly time: number;
  /** seconds since */
  readonly age: number;
  /** between two of them */
  readonly interval_secs: number;
  readonly status: "alive" | "late" | "success" | "failure" | "signal";
  /** its number */
  readonly signal: number | null;
  /** for people: the exception, the name of the signal */
  readonly detail: string;
};

/** Header of a frame of histograms. */
export type HistogramsHeader = {
  /** of the store, for the next `since` */
  readonly version: number;
  readonly series: readonly BucketSeries[];
};

/** What the experiment declares, one of the two. */
export type HparamDomain = {
  readonly values: readonly (string | number | boolean | null)[] | null;
  readonly lo: number | null;
  readonly hi: number | null;
};

/** Of one hparam for one metric; None where it makes no sense for this kind. */
export type HparamImportance = {
  readonly name: string;
  readonly kind: string;
  /** share of what the forest loses without it, 0 … 1 */
  readonly importance: number | null;
  /** explained variance that is lost without it */
  readonly lost: number | null;
  readonly pearson: number | null;
  readonly spearman: number | null;
  /** share of variance between its values (correlation ratio), for words and truth values */
  readonly association: number | null;
  /** that have both */
  readonly trials: number;
};

/** Columns parallel to `run`; None where a run does not have it. */
export type Hparams = {
  readonly version: number;
  /** names before `limit` */
  readonly total: number;
  /** in natural order */
  readonly names: readonly string[];
  /** per name: whether these runs have different values, or some have none */
  readonly differs: readonly boolean[];
  /** per name; `text` where values are of several kinds */
  readonly kinds: readonly ("number" | "bool" | "text")[];
  readonly run: readonly string[];
  /** by name */
  readonly columns: Readonly<Record<string, readonly (string | number | boolean | null)[]>>;
};

/** In pixels of the picture. */
export type ImageBox = {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly label: string;
  readonly score: number | null;
  /** what it belongs to: "prediction", "truth"; boxes of a group have one colour */
  readonly group: string;
};

/** What a picture is, told by its head. None: it does not say. */
export type ImageFacts = {
  readonly content_type: string;
  readonly bytes: number;
  readonly width_px: number | null;
  readonly height_px: number | null;
  /** of each channel */
  readonly bits: number | null;
  readonly moves: boolean;
  readonly has_overlays: boolean;
  readonly boxes: readonly ImageBox[];
  readonly masks: readonly ImageMask[];
};

export type ImageMask = {
  readonly name: string;
  /** base64 of a grey PNG whose values are classes; 0 is nothing */
  readonly png: string;
  /** by class */
  readonly labels: Readonly<Record<string, string>>;
};

export type Importance = {
  readonly version: number;
  readonly metrics: readonly MetricImportance[];
};

/** Header of a scalars frame. Columns `tag` and `run` hold positions in `tags` and `runs`. */
export type Lines = {
  /** of the store, for the next `since` */
  readonly version: number;
  readonly x: string;
  /** columns are evenly spaced on it */
  readonly x_scale: string;
  /** the range asked for, or that all series span; None: there is no point */
  readonly lo: number | string | null;
  readonly hi: number | string | null;
  readonly width: number;
  readonly encoding: string;
  readonly smoothing: string;
  readonly tags: readonly string[];
  readonly runs: readonly string[];
  readonly tag: readonly number[];
  readonly run: readonly number[];
  /** of the whole series */
  readonly points: readonly number[];
  /** positions (in the columns above) of the series told in columns */
  readonly columns: readonly number[];
  /** positions of the series told as points */
  readonly exact: readonly number[];
  /** parallel to `exact`: how many points of each are in the arrays */
  readonly kept: readonly number[];
  readonly groups: readonly Group[];
  /** in the range; all None where `raw=false` leaves the line out */
  readonly values: Extent;
  readonly smoothed: Extent | null;
  /** bands between tags that are not there, or not whole */
  readonly unbanded: readonly Unbanded[] | null;
  /** parallel to `run`: the value at the largest x; None for many series */
  readonly last: readonly (number | string)[] | null;
};

export type Listing = {
  readonly version: number;
  readonly embeddings: readonly Embedding[];
  /** configs that could not be read to their end */
  readonly problems: readonly Explanation[];
};

/** Header of a frame with one mesh. Bounds are of what is finite; counts are of what was logged. */
export type MeshHeader = {
  readonly run: string;
  readonly tag: string;
  readonly name: string;
  readonly step: number;
  readonly wall_time: number;
  readonly sample: number;
  /** of the batch */
  readonly samples: number;
  /** JSON as it was logged: camera, lights, material */
  readonly config: string;
  readonly parts: readonly MeshPart[];
  /** announced, and not there (yet) */
  readonly missing: readonly ("vertex" | "face" | "color")[];
  /** there, but of no form that could be drawn */
  readonly unusable: readonly ("vertex" | "face" | "color")[];
  readonly vertices: number;
  readonly faces: number;
  /** not finite */
  readonly dropped_vertices: number;
  /** of vertices that are not there */
  readonly dropped_faces: number;
  /** so many that they are not one for each vertex */
  readonly unmatched_colors: number;
  /** too many points: evenly chosen ones are sent */
  readonly thinned: boolean;
  readonly lo: readonly number[];
  readonly hi: readonly number[];
  /** why there is nothing to draw */
  readonly problem: Explanation | null;
};

/** Where a part of the mesh comes from. `step`: an earlier one where it was not logged at the mesh's own. */
export type MeshPart = {
  readonly part: "vertex" | "face" | "color";
  readonly tag: string;
  readonly step: number;
  readonly shape: readonly number[];
  readonly dtype: string;
};

export type Metadata = {
  readonly columns: readonly string[];
  /** None: not counted yet */
  readonly rows: number | null;
};

export type MetricImportance = {
  readonly tag: string;
  readonly group: string;
  readonly display: string;
  readonly goal: "min" | "max" | null;
  /** with a finite value */
  readonly trials: number;
  /** of these, by the forest */
  readonly used: number;
  readonly explained: number | null;
  readonly warnings: readonly ("few_trials" | "no_variation" | "little_explained" | "no_hparams")[];
  /** most important first */
  readonly hparams: readonly HparamImportance[];
};

/** Columns, one entry per series and position asked for, series after series; None: the series has no point. */
export type Nearest = {
  readonly version: number;
  readonly x: string;
  readonly at: readonly number[];
  /** one entry per series */
  readonly tag: readonly string[];
  readonly run: readonly string[];
  readonly step: readonly (number | string | null)[];
  readonly wall_time: readonly (number | string | null)[];
  readonly relative: readonly (number | string | null)[];
  readonly value: readonly (number | string | null)[];
  /** empty without `smoothing` */
  readonly smoothed: readonly (number | string | null)[];
};

export type NeighborsHeader = {
  readonly row: number;
  readonly distance: string;
};

/** What is odd about a file that belongs to an embedding. Codes: `other_rows` (so many rows for another number of */
export type Note = {
  readonly about: "metadata" | "sprite" | "bookmarks";
  readonly code: string;
  readonly number: number;
  readonly why: Explanation | null;
};

/** One that could be asked for. */
export type OtherMetric = {
  readonly tag: string;
  readonly group: string;
  readonly sessions: number;
};

/** One string: as text where it is some, else its first bytes as digits. */
export type Piece = {
  readonly number: number;
  readonly bytes: number;
  readonly text: string | null;
  readonly hex: string;
  readonly cut: boolean;
};

/** A root of the logs. */
export type Place = {
  /** absolute, or the pattern as it was given */
  readonly path: string;
  readonly problem: "missing" | "permission" | "not_directory" | "unreadable" | "unsupported" | "empty" | null;
  /** a sentence for people */
  readonly detail: string;
  /** of the sentence */
  readonly code: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** event files found */
  readonly files: number;
  /** in them */
  readonly bytes: number;
};

/** Two axes of the tensor with all others held at `index`. A missing axis (-1) has one place. */
export type Plane = {
  readonly row_axis: number;
  readonly column_axis: number;
  /** of every axis; those of the plane count for nothing */
  readonly index: readonly number[];
  readonly rows: number;
  readonly columns: number;
  /** where the window begins */
  readonly row: number;
  readonly column: number;
  readonly window_rows: number;
  readonly window_columns: number;
  /** so many rows of the window are one row of cells: their mean */
  readonly row_block: number;
  readonly column_block: number;
  readonly cell_rows: number;
  readonly cell_columns: number;
};

/** What went wrong, and what to do about it. */
export type Problem = {
  readonly message: string;
  readonly hint: string;
  readonly code: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly position?: number;
};

/** How far loading has come. */
export type Progress = {
  readonly done: boolean;
  readonly files_read: number;
  /** grows while a bucket is listed for the first time */
  readonly files_total: number;
  readonly bytes_read: number;
  readonly bytes_total: number;
  /** runs of which every file has been read */
  readonly runs_read: number;
  readonly runs_total: number;
};

/** One tag's columns over a range of x; None where a run has no point in it. min, max and mean: of finite values. */
export type RangeCells = {
  readonly first: readonly (number | string | null)[];
  readonly last: readonly (number | string | null)[];
  readonly min: readonly (number | string | null)[];
  readonly max: readonly (number | string | null)[];
  readonly mean: readonly (number | string | null)[];
  readonly first_step: readonly (number | string | null)[];
  readonly last_step: readonly (number | string | null)[];
  readonly min_step: readonly (number | string | null)[];
  readonly max_step: readonly (number | string | null)[];
  readonly points: readonly (number | null)[];
};

/** What people say about one run. Members are left out where nothing was said. */
export type Remarks = {
  /** to be shown in place of the run's own */
  readonly name?: string;
  /** Markdown */
  readonly note?: string;
  /** the note, rendered and safe */
  readonly note_html?: string;
  readonly tags?: readonly string[];
  readonly archived?: boolean;
  /** "#rrggbb" */
  readonly color?: string;
};

export type Rows = {
  readonly columns: readonly string[];
  /** cells, for each row asked for */
  readonly rows: readonly (readonly string[])[];
  readonly values?: readonly (readonly number[])[];
};

/** One run in full. */
export type Run = {
  readonly id: number;
  readonly name: string;
  readonly start_time: number | null;
  readonly last_time: number | null;
  readonly duration: number | null;
  readonly state: string;
  readonly faults: number;
  readonly files: readonly File[];
  /** number of tags by kind */
  readonly tags: Readonly<Record<string, number>>;
  /** where its files lie, below the root */
  readonly directory: string;
  /** what it was given; hparams where the writer told no more */
  readonly config: Readonly<Record<string, unknown>>;
  /** where it comes from: command, host, user, git, python … */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** what came out, where the writer said it */
  readonly summary: Readonly<Record<string, unknown>>;
  /** name, project, group, tags, notes, where the writer said so */
  readonly about: Readonly<Record<string, unknown>>;
  readonly heartbeat: Heartbeat | null;
  /** records of printed output; /api/console has their lines */
  readonly console: number;
  readonly annotations: Remarks;
};

/** Columns, one entry per run. Times are seconds since 1970; None where nothing has been read yet. */
export type Runs = {
  /** of the store, for the next `since` */
  readonly version: number;
  /** runs that match, before `offset` and `limit` */
  readonly total: number;
  /** stable while the board runs */
  readonly id: readonly number[];
  readonly name: readonly string[];
  readonly start_time: readonly (number | null)[];
  readonly last_time: readonly (number | null)[];
  /** seconds */
  readonly duration: readonly (number | null)[];
  readonly state: readonly string[];
  readonly files: readonly number[];
  readonly faults: readonly number[];
  /** number of its color, 0 to 47; stays the same when other runs are added or removed */
  readonly slot: readonly number[];
  /** with `since`: runs that are gone */
  readonly removed: readonly string[];
};

/** One text about a tag, and who said it. */
export type Said = {
  readonly html: string;
  /** the first few of them, in natural order */
  readonly runs: readonly string[];
  /** how many runs there are */
  readonly count: number;
};

export type SearchHeader = {
  readonly column: string;
  readonly total: number;
};

/** Every point of one series, as columns. */
export type SeriesPoints = {
  readonly version: number;
  readonly run: string;
  readonly tag: string;
  /** before `offset` and `limit` */
  readonly total: number;
  readonly step: readonly (number | string)[];
  readonly wall_time: readonly (number | string)[];
  readonly value: readonly (number | string)[];
  /** empty when no point is */
  readonly superseded: readonly boolean[];
};

/** Its points are those from `first` on, so many, in every array. */
export type SeriesSteps = {
  readonly run: string;
  readonly tag: string;
  readonly first: number;
  readonly points: number;
  /** elements a value has at most */
  readonly samples: number;
};

export type SickFile = {
  /** relative to the root it was found below */
  readonly path: string;
  readonly run: string;
  /** read whole */
  readonly records: number;
  /** all of them; `faults` keeps the first hundred */
  readonly bad_records: number;
  readonly faults: readonly FileFault[];
};

export type Sprite = {
  /** of one picture, px */
  readonly width: number;
  readonly height: number;
  /** of the sheet that holds them row by row; 0: unknown */
  readonly sheet_width: number;
  readonly sheet_height: number;
  /** relative to the board's own */
  readonly address: string;
};

/** Of the finite elements, but for the counts. Of complex numbers: of their magnitudes. */
export type Statistics = {
  readonly count: number;
  readonly nan: number;
  readonly positive_infinite: number;
  readonly negative_infinite: number;
  readonly zeros: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  readonly std: number | null;
  /** too many elements: evenly chosen ones were counted, and the counts are of those */
  readonly sampled: boolean;
  readonly counted: number;
};

/** How a layout is doing. Rows that are not finite have NaN for coordinates. */
export type Status = {
  readonly id: string;
  readonly run: string;
  readonly name: string;
  readonly method: string;
  readonly dims: number;
  readonly state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
  /** reading, components, neighbors, layout */
  readonly phase: string;
  /** of the phase, 0 to 1; of a layout without an end, of the iterations asked for */
  readonly progress: number;
  readonly iteration: number;
  /** how many were asked for; 0: the method has none */
  readonly iterations: number;
  /** grows with every new set of coordinates */
  readonly version: number;
  readonly rows: number;
  /** rows that are not finite */
  readonly left_out: number;
  /** columns that `axes` may choose from */
  readonly components: number;
  /** of the variance, for each component (PCA) */
  readonly shares: readonly number[];
  readonly seconds: number;
  readonly problem: Explanation | null;
};

/** Header of a frame of steps. */
export type StepsHeader = {
  /** of the store, for the next `since` */
  readonly version: number;
  readonly kind: string;
  readonly series: readonly SeriesSteps[];
};

export type Table = {
  readonly version: number;
  /** rows before `offset` and `limit` */
  readonly total: number;
  readonly run: readonly string[];
  readonly tags: Readonly<Record<string, Cells>>;
  /** empty unless `lo` or `hi` is given */
  readonly range: Readonly<Record<string, RangeCells>>;
};

export type TableColumn = {
  readonly name: string;
  readonly type: "number" | "text" | "mixed" | "empty";
};

/** Rows from `first` on of those that pass, column by column; `order` has their places in the table as logged. */
export type TablePage = {
  readonly columns: readonly TableColumn[];
  readonly rows: number;
  readonly passing: number;
  readonly first: number;
  readonly order: readonly number[];
  readonly cells: readonly (readonly (string | number | boolean | null)[])[];
  readonly ragged: number;
  /** columns beyond those that are shown */
  readonly left_out: number;
};

/** Columns, one entry per tag, in natural order; the three maps only name the tags that have one. */
export type TagColumns = {
  readonly tag: readonly string[];
  /** how many runs have it */
  readonly runs: readonly number[];
  readonly display_name: Readonly<Record<string, string>>;
  /** Markdown, as the writer gave it */
  readonly description: Readonly<Record<string, string>>;
  /** kind `tensors` only: the plugin the tag was written for */
  readonly plugin: Readonly<Record<string, string>>;
};

/** Tags of scalars that begin with a pattern; case counts, as in TensorBoard. */
export type TagMatch = {
  readonly pattern: string;
  /** in natural order; at most `MOST_TAGS` */
  readonly tags: readonly string[];
  /** of all */
  readonly count: number;
  /** why the pattern cannot be used */
  readonly problem: Explanation | null;
};

export type Tags = {
  readonly version: number;
  readonly kinds: Readonly<Record<string, TagColumns>>;
};

/** Header of a frame about one tensor. */
export type TensorHeader = {
  readonly run: string;
  readonly tag: string;
  readonly step: number;
  readonly wall_time: number;
  readonly plugin: string;
  readonly display_name: string;
  readonly description: string;
  readonly data_class: string;
  /** what the plugin says of the tag, in a form only it knows */
  readonly content: Piece | null;
  readonly content_type: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly count: number;
  readonly bytes: number;
  readonly statistics: Statistics | null;
  readonly plane: Plane | null;
  /** the window's elements, exactly */
  readonly texts: readonly (readonly string[])[];
  readonly strings: readonly Piece[];
  /** why nothing of the value can be shown */
  readonly problem: Explanation | null;
};

/** A step whose text has what is looked for: how often, and the first of it with what stands around it. */
export type TextHit = {
  readonly place: number;
  readonly step: number;
  readonly count: number;
  readonly before: string;
  readonly found: string;
  readonly after: string;
};

/** Newest first. `next`: where to go on with `before`; -1 when all was looked at. */
export type TextHits = {
  readonly points: number;
  readonly hits: readonly TextHit[];
  readonly next: number;
};

/** One step. `problem` says why there is no text; `cut`: there is more of it than this. */
export type TextStep = {
  /** among the points of the series */
  readonly place: number;
  readonly step: number;
  readonly wall_time: number;
  readonly shape: readonly number[];
  /** of the whole text */
  readonly chars: number;
  readonly cut: boolean;
  /** safe HTML, or what was written where the source was asked for */
  readonly text: string;
  readonly problem: Explanation | null;
};

/** The steps asked for, newest first; fewer where they are long. `points`: how many the series has. */
export type Texts = {
  readonly points: number;
  readonly texts: readonly TextStep[];
};

/** Column `hparam.N` of the frame, N its position: numbers as f8 with NaN, else i4 positions in `values` or -1. */
export type TrialHparam = {
  readonly name: string;
  readonly display: string;
  readonly description: string;
  readonly kind: "number" | "bool" | "text";
  readonly differs: boolean;
  readonly domain: HparamDomain | null;
  readonly values: readonly string[];
};

/** Columns `value.N` f8, `step.N` i8 (-1: none), `why.N` u1 (where any has none); of repeats `deviation.N` f8 and */
export type TrialMetric = {
  readonly tag: string;
  readonly group: string;
  readonly display: string;
  readonly description: string;
  readonly goal: "min" | "max" | null;
  readonly declared: boolean;
  /** that have a value */
  readonly trials: number;
};

/** Header of a frame of trials. Arrays beside the columns: `start`, `end` f8, `status`, `source` u1, and `sessions` */
export type TrialsHeader = {
  readonly version: number;
  /** since the version asked for: nothing else is told */
  readonly unchanged: boolean;
  /** trials, with or without the filter */
  readonly total: number;
  /** of each trial; empty where it is that of its only run */
  readonly name: readonly string[];
  /** sessions, trial after trial */
  readonly runs: readonly string[];
  readonly hparams: readonly TrialHparam[];
  readonly metrics: readonly TrialMetric[];
  readonly other_hparams: readonly string[];
  readonly other_metrics: readonly OtherMetric[];
  readonly statuses: readonly string[];
  readonly sources: readonly string[];
  /** why a value is not there */
  readonly reasons: readonly string[];
  readonly hparam_reasons: readonly string[];
  readonly absent: readonly Absent[];
  readonly absent_total: number;
  readonly aggregate: string;
  readonly repeats: string;
  readonly spread: string;
  /** its name */
  readonly experiment: string;
  readonly description: string;
};

/** Why the band of a run is not there, or not whole. */
export type Unbanded = {
  readonly run: string;
  readonly value: string;
  readonly lower: string;
  readonly upper: string;
  /** tags that the run does not have */
  readonly missing: readonly string[];
  /** steps that all three have; counts when none is missing */
  readonly shared: number;
};

/** Files that were found, but that no page shows. */
export type Unshown = {
  /** of the rule in `sources.py` */
  readonly kind: string;
  /** how many runs have such files */
  readonly runs: number;
};

/** What a film is, told by its head. None: it does not say. */
export type VideoFacts = {
  readonly content_type: string;
  readonly bytes: number;
  readonly codec: string;
  readonly width_px: number | null;
  readonly height_px: number | null;
  readonly seconds: number | null;
  readonly frames: number | null;
  /** seconds at which each frame is shown, rising; empty where unknown */
  readonly times: readonly number[];
  readonly has_sound: boolean;
  /** false: the file ends before it should */
  readonly whole: boolean;
};

/** A saved view. */
export type View = {
  readonly name: string;
  /** seconds since 1970 */
  readonly saved: number;
  /** the part of the page's address that says what is shown */
  readonly view: string;
  readonly description: string;
};

/** Saved views in the order of their names. */
export type Views = {
  /** of the store */
  readonly version: number;
  readonly views: readonly View[];
  /** whether this board can keep more */
  readonly writable: boolean;
  /** the directory they are kept in; "" where they are not */
  readonly place: string;
};

export type ActionQuestion = {
  /** id of the layout */
  readonly id: string;
  /** what to do */
  readonly action: "pause" | "resume" | "perturb" | "stop";
};

export type ActivityQuestion = {
  /** POST: seconds since somebody touched the page, which is visible */
  readonly untouched_secs?: number;
};

export type AnnotationsQuestion = {
  /** only these runs; repeatable */
  readonly run?: readonly string[];
  /** whether to render notes; by default unless there are more than 500, or a million characters in them */
  readonly html?: boolean;
  /** POST only: fields to change by run; null removes a field, and in the place of a run's fields all of them */
  readonly runs?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

export type AudioQuestion = {
  /** key of the clip, as for /api/blobs */
  readonly key: string;
};

export type BlobQuestion = {
  /** name of the run */
  readonly run: string;
  /** name of the tag */
  readonly tag: string;
  /** position of the point among the series' points; -1 is the last */
  readonly index?: number;
  /** which element of the value; images begin at 0 */
  readonly sample?: number;
  /** points that a restart superseded: hide or count them */
  readonly rewinds?: "latest" | "all";
};

export type ChartsQuestion = {
  /** what `/api/scalars` takes, once for each chart, up to 64 */
  readonly charts: readonly Readonly<Record<string, unknown>>[];
  /** members that all of them have */
  readonly shared?: Readonly<Record<string, unknown>>;
};

export type ColumnQuestion = {
  /** name of the run */
  readonly run: string;
  /** name of the embedding */
  readonly name: string;
  /** column of the metadata; the first one without */
  readonly column?: string;
  /** how many different values to name */
  readonly limit?: number;
};

export type CompleteQuestion = {
  /** what has been typed */
  readonly filter: string;
  /** where the cursor is, in characters; by default at the end */
  readonly cursor?: number;
  /** return at most so many */
  readonly limit?: number;
};

export type ConsoleQuestion = {
  /** name of the run */
  readonly run: string;
  /** return the last so many lines */
  readonly lines?: number;
};

export type CustomScalarsQuestion = {
  /** also tell which tags begin with these */
  readonly pattern?: readonly string[];
  /** false leaves the layout of the runs out, for patterns alone */
  readonly layout?: boolean;
};

export type DescriptionsQuestion = {
  /** which kind the tag is of */
  readonly kind:
    | "scalars"
    | "images"
    | "audio"
    | "video"
    | "text"
    | "html"
    | "tables"
    | "plotly"
    | "histograms"
    | "pr_curves"
    | "mesh"
    | "tensors";
  /** tag */
  readonly tag: string;
};

export type DistributionsQuestion = {
  /** tag; may be repeated */
  readonly tag: readonly string[];
  /** only these runs; may be repeated; an empty list is no run */
  readonly run?: readonly string[];
  /** only runs that match this filter */
  readonly filter?: string;
  /** only steps from here */
  readonly lo?: number | string;
  /** only steps to here */
  readonly hi?: number | string;
  /** at most so many steps of each series, evenly sampled, with first and last; 0: all */
  readonly limit?: number;
  /** further percentiles, 0 to 100; may be repeated */
  readonly percentile?: readonly number[];
  /** points that a restart superseded: hide or show them */
  readonly rewinds?: "latest" | "all";
  /** only series that changed after this version of the store */
  readonly since?: number;
};

export type EmbeddingQuestion = {
  /** name of the run */
  readonly run: string;
  /** name of the embedding, as /api/projector gives it */
  readonly name: string;
};

export type EventsQuestion = {
  /** the `id` of the last message seen; it may also come as Last-Event-ID */
  readonly since?: string;
};

export type ExportQuestion = {
  /** what to write */
  readonly format?: "csv" | "json" | "jsonl" | "arrow" | "parquet";
  /** only these tags or expressions; may be repeated */
  readonly tag?: readonly string[];
  /** only these runs; may be repeated; an empty list is no run */
  readonly run?: readonly string[];
  /** only runs that match this filter */
  readonly filter?: string;
  /** points that a restart superseded: hide or keep them */
  readonly rewinds?: "latest" | "all";
};

export type ExpressionQuestion = {
  /** such as `train/loss - val/loss`, with or without a `=` in front */
  readonly text: string;
};

export type FilterQuestion = {
  /** what has been typed */
  readonly filter: string;
};

export type GraphNodeQuestion = {
  /** which graph, as its frame says */
  readonly key: string;
  /** number of the node in the frame */
  readonly node: number;
  /** run of the graph, to read it again where it is not kept any longer */
  readonly run?: string;
  /** tag of the graph, with `run` */
  readonly tag?: string;
  /** attributes of more bytes are told by their size */
  readonly limit?: number;
};

export type GraphQuestion = {
  /** name of the run */
  readonly run: string;
  /** tag of a trace or of a Keras model; the run's own graph without */
  readonly tag?: string;
};

export type GraphStatsQuestion = {
  /** name of the run */
  readonly run: string;
  /** tag of what was recorded, as /api/graphs lists it under `metadata` */
  readonly tag: string;
  /** graph whose nodes are meant, as its frame says */
  readonly key?: string;
  /** or the tag of that graph in the same run */
  readonly graph?: string;
};

export type GraphUploadQuestion = {
  /** name of the file; its ending tells what it is where the content does not */
  readonly name?: string;
};

export type HistogramsQuestion = {
  /** tag; may be repeated */
  readonly tag: readonly string[];
  /** only these runs; may be repeated; an empty list is no run */
  readonly run?: readonly string[];
  /** only runs that match this filter */
  readonly filter?: string;
  /** only steps from here */
  readonly lo?: number | string;
  /** only steps to here */
  readonly hi?: number | string;
  /** at most so many steps of each series, evenly sampled, with first and last; 0: all */
  readonly limit?: number;
  /** points that a restart superseded: hide or show them */
  readonly rewinds?: "latest" | "all";
  /** only series that changed after this version of the store */
  readonly since?: number;
};

export type HparamsQuestion = {
  /** only these runs; repeatable */
  readonly run?: readonly string[];
  /** a run filter; see the filter language */
  readonly filter?: string;
  /** only these hparams; repeatable */
  readonly name?: readonly string[];
  /** at most so many hparams */
  readonly limit?: number;
};

export type ImageQuestion = {
  /** key of the picture, as for /api/blobs */
  readonly key: string;
};

export type KeyQuestion = {
  /** key of the blob, as listings give it */
  readonly key: string;
  /** of a picture: a thumbnail at most so many pixels wide */
  readonly width?: number;
};

export type LayoutQuestion = {
  /** name of the run */
  readonly run: string;
  /** name of the embedding, as /api/projector gives it */
  readonly name: string;
  /** how to lay out */
  readonly method: "pca" | "umap" | "tsne" | "custom";
  /** two or three dimensions */
  readonly dims?: number;
  /** move the data to its centroid and make every row one long, first */
  readonly sphereize?: boolean;
  /** only these rows; all of them without */
  readonly rows?: readonly number[];
  /** very many of them: a bit for each row in base64, the first the lowest of the first byte */
  readonly mask?: string;
  /** pca: how many components */
  readonly components?: number;
  /** umap, tsne: what counts as near */
  readonly distance?: "cosine" | "euclidean";
  /** umap: neighbors of each point */
  readonly neighbors?: number;
  /** umap: how close points may come */
  readonly min_distance?: number;
  /** tsne: effective neighbors of each point; 0: by the number of points */
  readonly perplexity?: number;
  /** tsne: factor of each movement; 0: by the number of points */
  readonly learning_rate?: number;
  /** umap, tsne: how many; 0: the usual number */
  readonly iterations?: number;
  /** umap, tsne: how much labels keep points apart, 0 to 1 */
  readonly supervise?: number;
  /** umap, tsne: column of the labels */
  readonly label?: string;
  /** umap, tsne: label that stands for none */
  readonly ignore?: string;
  /** the same seed gives the same picture */
  readonly seed?: number;
  /** custom: column that is searched; the first one without */
  readonly column?: string;
  /** custom: text, or /regex/, whose rows lie to the left */
  readonly left?: string;
  /** custom: … to the right */
  readonly right?: string;
  /** custom: … above */
  readonly up?: string;
  /** custom: … below */
  readonly down?: string;
};

export type MeshQuestion = {
  /** name of the run */
  readonly run: string;
  /** tag of the vertices; faces and colors are found by the name in their metadata */
  readonly tag: string;
  /** step of the vertices; the last one without */
  readonly step?: number;
  /** place of the value in its file, as /api/steps gives it, where a step was logged twice */
  readonly offset?: number;
  /** which mesh of a batch */
  readonly sample?: number;
  /** most points to send; of a larger cloud evenly sampled ones */
  readonly limit?: number;
};

export type NeighborsQuestion = {
  /** name of the run */
  readonly run: string;
  /** name of the embedding */
  readonly name: string;
  /** the row whose neighbors are wanted */
  readonly row: number;
  /** how many */
  readonly count?: number;
  /** what counts as near, over all dimensions */
  readonly distance?: "cosine" | "euclidean";
  /** look only among these rows; all of them without */
  readonly within?: readonly number[];
  /** very many of them: a bit for each row in base64, the first the lowest of the first byte */
  readonly mask?: string;
};

export type PointsQuestion = {
  /** name of the run */
  readonly run: string;
  /** name of the tag */
  readonly tag: string;
  /** points that a restart superseded: hide or show them */
  readonly rewinds?: "latest" | "all";
  /** skip so many points at the start */
  readonly offset?: number;
  /** return at most so many points */
  readonly limit?: number;
};

export type PrCurvesQuestion = {
  /** tag of each curve; one alone is that of all */
  readonly tag: readonly string[];
  /** run of each curve */
  readonly run: readonly string[];
  /** step of each curve; the newest without it */
  readonly step?: readonly number[];
  /** where a run logged a step twice: the one of this time */
  readonly wall_time?: readonly number[];
  /** points that a restart superseded: hide or show them */
  readonly rewinds?: "latest" | "all";
};

export type RowsQuestion = {
  /** name of the run */
  readonly run: string;
  /** name of the embedding */
  readonly name: string;
  /** numbers of the rows, counted from 0 */
  readonly rows: readonly number[];
  /** send the rows' own numbers too */
  readonly values?: boolean;
};

export type RunQuestion = {
  /** name of the run */
  readonly run: string;
};

export type RunsQuestion = {
  /** a run filter; see the filter language */
  readonly filter?: string;
  /** one of name, start_time, last_time, duration, state, files, faults; a leading `-` reverses it */
  readonly sort?: string;
  /** skip so many at the start */
  readonly offset?: number;
  /** return at most so many */
  readonly limit?: number;
  /** only runs that changed after this version of the store */
  readonly since?: number;
};

export type ScalarsQuestion = {
  /** tag; may be repeated */
  readonly tag: readonly string[];
  /** only these runs; may be repeated; an empty list is no run */
  readonly run?: readonly string[];
  /** only runs that match this filter */
  readonly filter?: string;
  /** the x axis: `step`, `wall`, `relative`, or `metric:TAG` */
  readonly x?: string;
  /** on which scale pixel columns are evenly spaced */
  readonly x_scale?: "linear" | "log" | "symlog";
  /** left end on x; by default where the first series begins */
  readonly lo?: number | string;
  /** right end on x; by default where the last series ends */
  readonly hi?: number | string;
  /** width of the chart in pixels; 0 keeps every point */
  readonly width?: number;
  /** such as `ema:0.6`; computed on all points */
  readonly smoothing?: string;
  /** points that a restart superseded: hide or show them */
  readonly rewinds?: "latest" | "all";
  /** points, or compact pixel columns made for drawing */
  readonly encoding?: "exact" | "pixels";
  /** false leaves the unsmoothed line out */
  readonly raw?: boolean;
  /** `regex:PATTERN` or `hparam:NAME,NAME`: runs that belong together become one band */
  readonly group?: string;
  /** what the band around a group's middle shows */
  readonly band?: "std" | "minmax" | "quantiles";
  /** two quantiles for band=quantiles */
  readonly quantile?: readonly number[];
  /** true for a slider in motion: `low` and `high` of the extents are estimated, in less time */
  readonly draft?: boolean;
  /** only series that changed after this version of the store */
  readonly since?: number;
  /** for each `tag` the tag of the lower edge of a band around it */
  readonly lower?: readonly string[];
  /** ... and the tag of its upper edge */
  readonly upper?: readonly string[];
};

export type SearchQuestion = {
  /** name of the run */
  readonly run: string;
  /** name of the embedding */
  readonly name: string;
  /** what to look for */
  readonly text: string;
  /** column of the metadata; the first one without */
  readonly column?: string;
  /** `text` is a regular expression */
  readonly regex?: boolean;
};

export type SnapshotQuestion = {
  /** only these runs; may be repeated; an empty list is no run */
  readonly run?: readonly string[];
  /** only these tags; may be repeated; all of them without */
  readonly tag?: readonly string[];
  /** what the page shows when it is opened: its address after # */
  readonly view?: string;
  /** at most so many points of each line */
  readonly points?: number;
};

export type StatusQuestion = {
  /** id of the layout */
  readonly id: string;
  /** send coordinates only if they are newer than this version */
  readonly since?: number;
  /** wait so many seconds for newer ones */
  readonly wait?: number;
  /** pca: which components to send, the first ones without; may be repeated */
  readonly axes?: readonly number[];
};

export type StepsQuestion = {
  /** which kind the tags are of */
  readonly kind:
    | "images"
    | "audio"
    | "video"
    | "text"
    | "html"
    | "tables"
    | "plotly"
    | "histograms"
    | "distributions"
    | "pr_curves"
    | "mesh"
    | "custom_scalars"
    | "graphs"
    | "tensors";
  /** tag; may be repeated */
  readonly tag: readonly string[];
  /** only these runs; may be repeated; an empty list is no run */
  readonly run?: readonly string[];
  /** only runs that match this filter */
  readonly filter?: string;
  /** points that a restart superseded: hide or show them */
  readonly rewinds?: "latest" | "all";
  /** only series that changed after this version of the store */
  readonly since?: number;
};

export type TableFileQuestion = {
  /** key of the table's blob: see /api/steps and /api/blobs */
  readonly key: string;
  /** column to sort by; a `-` before it: the largest first */
  readonly sort?: string;
  /** by column: `> 3`, `1..5`, `= x`, `!= x`, `/pattern/`, `!word` or a word that cells have in them */
  readonly filter?: Readonly<Record<string, string>>;
  /** what to write */
  readonly format?: "csv" | "json";
};

export type TablePageQuestion = {
  /** key of the table's blob: see /api/steps and /api/blobs */
  readonly key: string;
  /** column to sort by; a `-` before it: the largest first */
  readonly sort?: string;
  /** by column: `> 3`, `1..5`, `= x`, `!= x`, `/pattern/`, `!word` or a word that cells have in them */
  readonly filter?: Readonly<Record<string, string>>;
  /** the first row wanted, of those that pass */
  readonly first?: number;
  /** at most so many rows */
  readonly count?: number;
};

export type TableQuestion = {
  /** tag; may be repeated */
  readonly tag: readonly string[];
  /** only these runs; may be repeated; an empty list is no run */
  readonly run?: readonly string[];
  /** only runs that match this filter */
  readonly filter?: string;
  /** such as `-last(loss)`; by default runs by name */
  readonly sort?: string;
  /** skip so many rows at the start */
  readonly offset?: number;
  /** return at most so many rows */
  readonly limit?: number;
  /** with `lo` or `hi`: the same over the points from here */
  readonly lo?: number | string;
  /** ... to here */
  readonly hi?: number | string;
  /** what the range counts in: `step`, `wall`, `relative`, or `metric:TAG` */
  readonly x?: string;
  /** whether superseded points count in the range */
  readonly rewinds?: "latest" | "all";
};

export type TagsQuestion = {
  /** count only these runs; may be repeated; an empty list is no run */
  readonly run?: readonly string[];
  /** count only runs that match this filter */
  readonly filter?: string;
  /** only tags that changed after this version of the store */
  readonly since?: number;
};

export type TensorFileQuestion = {
  /** name of the run */
  readonly run: string;
  /** name of the tag; of any kind but scalars */
  readonly tag: string;
  /** step of the value; the last one without */
  readonly step?: number;
  /** place of the value in its file, where a step was logged twice */
  readonly offset?: number;
  /** `npy` as NumPy reads it, `raw` bare bytes */
  readonly format?: "npy" | "raw";
  /** which of several strings */
  readonly element?: number;
};

export type TensorsQuestion = {
  /** name of the run */
  readonly run: string;
  /** name of the tag; of any kind but scalars */
  readonly tag: string;
  /** step of the value; the last one without */
  readonly step?: number;
  /** place of the value in its file, as /api/steps gives it, where a step was logged twice */
  readonly offset?: number;
  /** place on each axis, for those that are not in the plane; may be repeated */
  readonly index?: readonly number[];
  /** axis of the plane's rows; the last but one without; -1: a single row */
  readonly row_axis?: number;
  /** axis of the plane's columns; the last one without */
  readonly column_axis?: number;
  /** first row of the window; of strings, the first of them */
  readonly row?: number;
  /** first column of the window */
  readonly column?: number;
  /** rows of the window; all without; of strings, so many */
  readonly rows?: number;
  /** columns of the window; all without */
  readonly columns?: number;
  /** cells on a side of the picture of the window, means of their blocks; 0: no picture */
  readonly cells?: number;
  /** the window's elements as text, exactly */
  readonly texts?: boolean;
  /** statistics and a histogram of the whole tensor */
  readonly statistics?: boolean;
};

export type TextQuestion = {
  /** name of the run */
  readonly run: string;
  /** name of the tag */
  readonly tag: string;
  /** places of texts among the points of the series, the oldest is 0; may be repeated */
  readonly at?: readonly number[];
  /** without `at`: texts before this place; the end when absent */
  readonly before?: number;
  /** without `at`: at most so many */
  readonly limit?: number;
  /** HTML of the Markdown, HTML of the text as written, or the text itself */
  readonly form?: "markdown" | "plain" | "source";
  /** at most so many characters of each text */
  readonly chars?: number;
  /** points that a restart superseded: hide or show them */
  readonly rewinds?: "latest" | "all";
};

export type TextSearchQuestion = {
  /** name of the run */
  readonly run: string;
  /** name of the tag */
  readonly tag: string;
  /** what to look for, whatever its case, or /a regular expression/ */
  readonly words: string;
  /** only texts before this place; `next` of the answer before */
  readonly before?: number;
  /** at most so many steps */
  readonly limit?: number;
  /** points that a restart superseded: hide or show them */
  readonly rewinds?: "latest" | "all";
};

export type TrialsFileQuestion = {
  /** only trials of these runs; may be repeated; an empty list is no run */
  readonly run?: readonly string[];
  /** only trials of runs that pass this filter */
  readonly filter?: string;
  /** only these hparams; by default those that differ first */
  readonly hparam?: readonly string[];
  /** tags; by default what the experiment declares, or what is common */
  readonly metric?: readonly string[];
  /** for each metric where it lies below the session's run */
  readonly group?: readonly string[];
  /** for each metric what is best */
  readonly goal?: readonly ("auto" | "min" | "max")[];
  /** at most so many metrics when none is named */
  readonly metric_limit?: number;
  /** which value of a series */
  readonly aggregate?: "last" | "first" | "min" | "max" | "best" | "mean" | "at";
  /** with `at`: the last point up to this step */
  readonly step?: number;
  /** only points from this step */
  readonly lo?: number;
  /** ... to this one */
  readonly hi?: number;
  /** all values at the step where this metric is best */
  readonly by?: string;
  /** where that lies below the session's run */
  readonly by_group?: string;
  /** what is best of it; auto: after its name */
  readonly by_goal?: "auto" | "min" | "max";
  /** which sessions are one trial */
  readonly repeats?: "group" | "same" | "none";
  /** which value of several repeats */
  readonly spread?: "mean" | "median" | "min" | "max";
  /** points that a restart superseded: hide or count them */
  readonly rewinds?: "latest" | "all";
  /** tell nothing if no run has changed after this version */
  readonly since?: number;
  /** what to write */
  readonly format?: "csv" | "json" | "latex" | "arrow" | "parquet";
  /** such as `-metric:accuracy`, `hparam:lr`, `name`, `start`; the first counts first */
  readonly sort?: readonly string[];
  /** more columns */
  readonly extra?: readonly ("status" | "start" | "end" | "runs" | "step" | "deviation")[];
};

export type TrialsQuestion = {
  /** only trials of these runs; may be repeated; an empty list is no run */
  readonly run?: readonly string[];
  /** only trials of runs that pass this filter */
  readonly filter?: string;
  /** only these hparams; by default those that differ first */
  readonly hparam?: readonly string[];
  /** tags; by default what the experiment declares, or what is common */
  readonly metric?: readonly string[];
  /** for each metric where it lies below the session's run */
  readonly group?: readonly string[];
  /** for each metric what is best */
  readonly goal?: readonly ("auto" | "min" | "max")[];
  /** at most so many metrics when none is named */
  readonly metric_limit?: number;
  /** which value of a series */
  readonly aggregate?: "last" | "first" | "min" | "max" | "best" | "mean" | "at";
  /** with `at`: the last point up to this step */
  readonly step?: number;
  /** only points from this step */
  readonly lo?: number;
  /** ... to this one */
  readonly hi?: number;
  /** all values at the step where this metric is best */
  readonly by?: string;
  /** where that lies below the session's run */
  readonly by_group?: string;
  /** what is best of it; auto: after its name */
  readonly by_goal?: "auto" | "min" | "max";
  /** which sessions are one trial */
  readonly repeats?: "group" | "same" | "none";
  /** which value of several repeats */
  readonly spread?: "mean" | "median" | "min" | "max";
  /** points that a restart superseded: hide or count them */
  readonly rewinds?: "latest" | "all";
  /** tell nothing if no run has changed after this version */
  readonly since?: number;
};

export type UploadQuestion = {
  /** name of the file, for people */
  readonly name?: string;
  /** of raw float32: how many rows; as many as there are without */
  readonly rows?: number;
  /** of raw float32: how many dimensions */
  readonly dims?: number;
  /** the file is the metadata of an embedding sent before, by its name */
  readonly of?: string;
};

export type ValuesQuestion = {
  /** tag; may be repeated */
  readonly tag: readonly string[];
  /** position on x; may be repeated */
  readonly at: readonly (number | string)[];
  /** only these runs; may be repeated; an empty list is no run */
  readonly run?: readonly string[];
  /** only runs that match this filter */
  readonly filter?: string;
  /** the x axis: `step`, `wall`, `relative`, or `metric:TAG` */
  readonly x?: string;
  /** such as `ema:0.6`; computed on all points */
  readonly smoothing?: string;
  /** points that a restart superseded: hide or show them */
  readonly rewinds?: "latest" | "all";
};

export type VideoQuestion = {
  /** key of the video, as for /api/blobs */
  readonly key: string;
};

export type ViewQuestion = {
  /** name of the view */
  readonly name: string;
};

export type ViewsQuestion = {
  /** PUT or POST: name of the view to save; DELETE: to delete */
  readonly name?: string;
  /** PUT or POST: what is to be seen, the page's own text */
  readonly view?: string;
  /** PUT or POST: a description */
  readonly description?: string;
};

/** Codes of sentences about errors: see `Explanation`. */
export type ErrorCode =
  | "address.unknown"
  | "beside.missing"
  | "beside.more_outside"
  | "beside.not_read"
  | "beside.outside"
  | "beside.outside_config"
  | "board.busy"
  | "board.no_memory"
  | "board.stopping"
  | "checkpoint.byte_order"
  | "checkpoint.no_tensor"
  | "checkpoint.none"
  | "checkpoint.not_index"
  | "checkpoint.not_numbers"
  | "checkpoint.shape"
  | "checkpoint.slice_missing"
  | "checkpoint.too_large"
  | "disk.full"
  | "embedding.bad_table"
  | "embedding.long_line"
  | "embedding.no_bookmarks"
  | "embedding.no_layer"
  | "embedding.no_metadata"
  | "embedding.no_row"
  | "embedding.no_rows"
  | "embedding.no_shape"
  | "embedding.no_sprite"
  | "embedding.not_table"
  | "embedding.too_large"
  | "embedding.unknown"
  | "embedding.wrong_size"
  | "export.nothing"
  | "expression.arguments"
  | "expression.in_run"
  | "expression.incomplete"
  | "expression.metric"
  | "expression.no_metric"
  | "expression.too_large"
  | "expression.too_long"
  | "expression.unexpected"
  | "fault.checksum"
  | "fault.compressed"
  | "fault.failed"
  | "fault.graph"
  | "fault.length"
  | "fault.length_crc"
  | "fault.length_crc_waiting"
  | "fault.length_waiting"
  | "fault.not_event"
  | "fault.open"
  | "fault.read"
  | "fault.store"
  | "fault.value"
  | "figure.not_figure"
  | "figure.not_json"
  | "file.bad_name"
  | "file.damaged"
  | "file.ends_early"
  | "file.not_a_file"
  | "file.too_large"
  | "file.unreadable"
  | "filter.arguments"
  | "filter.compare"
  | "filter.duration"
  | "filter.function"
  | "filter.hparam"
  | "filter.hparams_name"
  | "filter.in"
  | "filter.in_labels"
  | "filter.in_tags"
  | "filter.incomplete"
  | "filter.is"
  | "filter.list_item"
  | "filter.matches"
  | "filter.name"
  | "filter.name_not_close"
  | "filter.no_condition"
  | "filter.no_number"
  | "filter.number_too_large"
  | "filter.operator"
  | "filter.quotes"
  | "filter.time"
  | "filter.too_deep"
  | "filter.too_long"
  | "filter.too_many_parts"
  | "filter.unclosed_bracket"
  | "filter.unclosed_quote"
  | "filter.unexpected"
  | "filter.unusable"
  | "filter.word"
  | "flag.no_effect"
  | "folder.not_writable"
  | "graph.changed"
  | "graph.damaged"
  | "graph.empty_file"
  | "graph.no_node"
  | "graph.none"
  | "graph.not_graph"
  | "graph.not_text"
  | "graph.too_large"
  | "graph.too_large_text"
  | "graph.too_many_nodes"
  | "graph.unknown"
  | "graph.versions"
  | "hdf5.damaged"
  | "hdf5.empty"
  | "hdf5.not_hdf5"
  | "hdf5.packed"
  | "hdf5.unsupported"
  | "host.denied"
  | "image.too_large"
  | "index.damaged"
  | "index.read_again"
  | "json.invalid"
  | "json.too_deep"
  | "json.too_many_values"
  | "keras.no_config"
  | "keras.too_deep"
  | "keras.unreadable"
  | "layout.gone"
  | "layout.no_finite_rows"
  | "layout.no_memory"
  | "layout.nothing_found"
  | "logdir.absent"
  | "logdir.empty"
  | "logdir.objects"
  | "logdir.storage"
  | "logdir.unreadable"
  | "mesh.no_sample"
  | "mesh.no_vertices"
  | "metadata.no_column"
  | "notes.color"
  | "notes.disabled"
  | "notes.elsewhere"
  | "notes.file_unreadable"
  | "notes.linked"
  | "notes.no_logdir"
  | "notes.no_place"
  | "notes.not_notes"
  | "notes.not_object"
  | "notes.note_too_large"
  | "notes.run_name_too_long"
  | "notes.set_aside"
  | "notes.switched_off"
  | "notes.too_large"
  | "notes.too_long"
  | "notes.too_many_labels"
  | "notes.unknown_field"
  | "notes.unreadable"
  | "notes.wrong_type"
  | "npy.damaged"
  | "npy.not_numbers"
  | "npy.shape"
  | "npy.size"
  | "npy.unreadable"
  | "onnx.no_graph"
  | "onnx.too_deep"
  | "onnx.too_many_fields"
  | "package.missing"
  | "path.unreadable"
  | "pattern.back_reference"
  | "pattern.class_range"
  | "pattern.double_repeat"
  | "pattern.empty"
  | "pattern.escape"
  | "pattern.invalid"
  | "pattern.look_around"
  | "pattern.nothing_to_repeat"
  | "pattern.too_large"
  | "pattern.too_long"
  | "pattern.too_slow"
  | "pattern.trailing_backslash"
  | "pattern.unclosed_class"
  | "pattern.unclosed_group"
  | "pattern.unopened_group"
  | "point.gone"
  | "point.unreadable"
  | "polling"
  | "polling.limit"
  | "polling.network"
  | "polling.no_notifications"
  | "polling.refused"
  | "polling.some"
  | "projector.config"
  | "range.too_wide"
  | "request.too_large"
  | "root.a_file"
  | "root.an_object"
  | "root.empty"
  | "root.listing"
  | "root.missing"
  | "root.no_answer"
  | "root.no_events"
  | "root.no_match"
  | "root.nothing"
  | "root.permission"
  | "root.unreadable"
  | "run.unknown"
  | "server.defect"
  | "site.denied"
  | "snapshot.too_large"
  | "sprite.format"
  | "sprite.no_size"
  | "sprite.too_large"
  | "storage.action.delete"
  | "storage.action.list"
  | "storage.action.read"
  | "storage.action.write"
  | "storage.bad_listing"
  | "storage.broken_off"
  | "storage.certificate"
  | "storage.changed"
  | "storage.clock"
  | "storage.denied"
  | "storage.empty_secret"
  | "storage.expired"
  | "storage.forked"
  | "storage.inside"
  | "storage.key_name"
  | "storage.listing_too_large"
  | "storage.named_region"
  | "storage.needs_tls"
  | "storage.no_account"
  | "storage.no_bucket"
  | "storage.no_claim"
  | "storage.no_credentials"
  | "storage.no_directory"
  | "storage.no_endpoint"
  | "storage.no_listing"
  | "storage.no_object"
  | "storage.no_profile"
  | "storage.no_ranges"
  | "storage.no_region"
  | "storage.no_secret"
  | "storage.not_http"
  | "storage.not_tls"
  | "storage.other"
  | "storage.redirect"
  | "storage.refused"
  | "storage.region"
  | "storage.role"
  | "storage.server"
  | "storage.settings"
  | "storage.shorter"
  | "storage.slow_down"
  | "storage.style"
  | "storage.timeout"
  | "storage.unknown_host"
  | "storage.web_credentials"
  | "storage.who.azure"
  | "storage.who.container"
  | "storage.who.google"
  | "storage.who.machine"
  | "storage.who.no_secret"
  | "storage.who.nobody"
  | "storage.who.nobody_secret"
  | "storage.who.nobody_variable"
  | "storage.who.profile"
  | "storage.who.role"
  | "storage.who.secret"
  | "storage.who.variable"
  | "storage.wrong_key"
  | "storage.wrong_secret"
  | "table.empty"
  | "table.no_column"
  | "table.not_number"
  | "table.not_table"
  | "table.too_large"
  | "table.too_many_cells"
  | "tag.other_kind"
  | "tag.unknown"
  | "token.missing"
  | "upload.empty"
  | "upload.gone"
  | "upload.json_too_large"
  | "upload.not_sent"
  | "upload.not_table"
  | "upload.too_large"
  | "upload.unreadable"
  | "uri.azure_host"
  | "uri.bucket"
  | "uri.bucket_web"
  | "uri.control"
  | "uri.credentials"
  | "uri.dots"
  | "uri.empty_part"
  | "uri.file_host"
  | "uri.name"
  | "uri.no_bucket"
  | "uri.no_claim"
  | "uri.no_host"
  | "uri.query"
  | "uri.scheme"
  | "uri.signed"
  | "uri.slashes"
  | "uri.t9k"
  | "uri.web"
  | "uri.web_credentials"
  | "value.gone"
  | "value.not_here"
  | "value.shape"
  | "value.too_large"
  | "value.unreadable"
  | "video.too_many_parts"
  | "view.all_too_large"
  | "view.description_too_long"
  | "view.name_too_long"
  | "view.no_name"
  | "view.too_large"
  | "view.too_many"
  | "view.unknown"
  | "view.unreadable"
  | "views.linked";
