"""Messages and enumerations that PyTorch and TensorFlow import from the `tensorboard` package, as data.

One line each: `name number type`, with `*` for a repeated field, `map` for string keys, `in x` for members of the
oneof x. Numbers and names are those of tensorboard/compat/proto and tensorboard/plugins/*/*.proto. `Value` and
`ListValue` are google.protobuf's.
"""

from __future__ import annotations

import dataclasses

_MESSAGES = """
Event: wall_time 1 double, step 2 int64, file_version 3 string in what, graph_def 4 bytes in what,
  summary 5 Summary in what, log_message 6 LogMessage in what, session_log 7 SessionLog in what,
  tagged_run_metadata 8 TaggedRunMetadata in what, meta_graph_def 9 bytes in what, source_metadata 10 SourceMetadata
LogMessage: level 1 int32, message 2 string
SessionLog: status 1 SessionLog.SessionStatus, checkpoint_path 2 string, msg 3 string
TaggedRunMetadata: tag 1 string, run_metadata 2 bytes
SourceMetadata: writer 1 string
Summary: value 1 Summary.Value*
Summary.Value: tag 1 string, simple_value 2 float in value, image 4 Summary.Image in value,
  histo 5 HistogramProto in value, audio 6 Summary.Audio in value, node_name 7 string, tensor 8 TensorProto in value,
  metadata 9 SummaryMetadata
Summary.Image: height 1 int32, width 2 int32, colorspace 3 int32, encoded_image_string 4 bytes
Summary.Audio: sample_rate 1 float, num_channels 2 int64, length_frames 3 int64, encoded_audio_string 4 bytes,
  content_type 5 string
SummaryMetadata: plugin_data 1 SummaryMetadata.PluginData, display_name 2 string, summary_description 3 string,
  data_class 4 DataClass
SummaryMetadata.PluginData: plugin_name 1 string, content 2 bytes
HistogramProto: min 1 double, max 2 double, num 3 double, sum 4 double, sum_squares 5 double, bucket_limit 6 double*,
  bucket 7 double*
TensorProto: dtype 1 DataType, tensor_shape 2 TensorShapeProto, version_number 3 int32, tensor_content 4 bytes,
  float_val 5 float*, double_val 6 double*, int_val 7 int32*, string_val 8 bytes*, scomplex_val 9 float*,
  int64_val 10 int64*, bool_val 11 bool*, dcomplex_val 12 double*, half_val 13 int32*, uint32_val 16 uint32*,
  uint64_val 17 uint64*
TensorShapeProto: dim 2 TensorShapeProto.Dim*, unknown_rank 3 bool
TensorShapeProto.Dim: size 1 int64, name 2 string
GraphDef: node 1 NodeDef*, version 3 int32, versions 4 VersionDef
NodeDef: name 1 string, op 2 string, input 3 string*, device 4 string, attr 5 AttrValue map
AttrValue: list 1 AttrValue.ListValue in value, s 2 bytes in value, i 3 int64 in value, f 4 float in value,
  b 5 bool in value, type 6 DataType in value, shape 7 TensorShapeProto in value, tensor 8 TensorProto in value,
  placeholder 9 string in value
AttrValue.ListValue: s 2 bytes*, i 3 int64*, f 4 float*, b 5 bool*, type 6 DataType*, shape 7 TensorShapeProto*,
  tensor 8 TensorProto*
VersionDef: producer 1 int32, min_consumer 2 int32, bad_consumers 3 int32*
RunMetadata: step_stats 1 StepStats
StepStats: dev_stats 1 DeviceStepStats*
DeviceStepStats: device 1 string
Layout: version 1 int32, category 2 Category*
Category: title 1 string, chart 2 Chart*, closed 3 bool
Chart: title 1 string, multiline 2 MultilineChartContent in content, margin 3 MarginChartContent in content
MultilineChartContent: tag 1 string*
MarginChartContent: series 1 MarginChartContent.Series*
MarginChartContent.Series: value 1 string, lower 2 string, upper 3 string
TextPluginData: version 1 int32
PrCurvePluginData: version 1 int32, num_thresholds 2 uint32
MeshPluginData: version 1 int32, name 2 string, content_type 3 MeshPluginData.ContentType, json_config 5 string,
  shape 6 int32*, components 7 uint32
HParamsPluginData: version 1 int32, experiment 2 Experiment in data, session_start_info 3 SessionStartInfo in data,
  session_end_info 4 SessionEndInfo in data
Experiment: description 1 string, user 2 string, time_created_secs 3 double, hparam_infos 4 HParamInfo*,
  metric_infos 5 MetricInfo*, name 6 string
HParamInfo: name 1 string, display_name 2 string, description 3 string, type 4 HParamsDataType,
  domain_discrete 5 ListValue in domain, domain_interval 6 Interval in domain, differs 7 bool
Interval: min_value 1 double, max_value 2 double
MetricInfo: name 1 MetricName, display_name 3 string, description 4 string, dataset_type 5 DatasetType
MetricName: group 1 string, tag 2 string
SessionStartInfo: hparams 1 Value map, model_uri 2 string, monitor_url 3 string, group_name 4 string,
  start_time_secs 5 double
SessionEndInfo: status 1 Status, end_time_secs 2 double
ProjectorConfig: model_checkpoint_path 1 string, embeddings 2 EmbeddingInfo*, model_checkpoint_dir 3 string
EmbeddingInfo: tensor_name 1 string, metadata_path 2 string, bookmarks_path 3 string, tensor_shape 4 uint32*,
  sprite 5 SpriteMetadata, tensor_path 6 string
SpriteMetadata: image_path 1 string, single_image_dim 2 uint32*
Value: null_value 1 NullValue in kind, number_value 2 double in kind, string_value 3 string in kind,
  bool_value 4 bool in kind, list_value 6 ListValue in kind
ListValue: values 1 Value*
"""

_ENUMS = """
DataClass: DATA_CLASS_UNKNOWN DATA_CLASS_SCALAR DATA_CLASS_TENSOR DATA_CLASS_BLOB_SEQUENCE
DataType: DT_INVALID DT_FLOAT DT_DOUBLE DT_INT32 DT_UINT8 DT_INT16 DT_INT8 DT_STRING DT_COMPLEX64 DT_INT64 DT_BOOL
  DT_QINT8 DT_QUINT8 DT_QINT32 DT_BFLOAT16 DT_QINT16 DT_QUINT16 DT_UINT16 DT_COMPLEX128 DT_HALF DT_RESOURCE DT_VARIANT
  DT_UINT32 DT_UINT64
SessionLog.SessionStatus: STATUS_UNSPECIFIED START STOP CHECKPOINT
MeshPluginData.ContentType: UNDEFINED VERTEX FACE COLOR
HParamsDataType: DATA_TYPE_UNSET DATA_TYPE_STRING DATA_TYPE_BOOL DATA_TYPE_FLOAT64
DatasetType: DATASET_UNKNOWN DATASET_TRAINING DATASET_VALIDATION
Status: STATUS_UNKNOWN STATUS_SUCCESS STATUS_FAILURE STATUS_RUNNING
NullValue: NULL_VALUE
"""

WELL_KNOWN = ("Value", "ListValue", "NullValue")  # those of google.protobuf


@dataclasses.dataclass(frozen=True)
class Field:
    """`type` is a scalar type of protobuf, a message or an enumeration. A map's keys are strings."""

    name: str
    number: int
    type: str
    repeated: bool = False
    is_map: bool = False
    oneof: str | None = None


def _lines(text: str) -> dict[str, str]:
    joined = text.strip().replace("\n  ", " ")
    return dict(line.split(": ", 1) for line in joined.splitlines())


def _field(text: str) -> Field:
    name, number, kind, *rest = text.split()
    return Field(
        name,
        int(number),
        kind.rstrip("*"),
        repeated=kind.endswith("*"),
        is_map="map" in rest,
        oneof=rest[rest.index("in") + 1] if "in" in rest else None,
    )


MESSAGES: dict[str, tuple[Field, ...]] = {
    name: tuple(_field(each.strip()) for each in fields.split(",")) for name, fields in _lines(_MESSAGES).items()
}
# names of an enumeration; a name's index is its number
ENUMS: dict[str, tuple[str, ...]] = {name: tuple(names.split()) for name, names in _lines(_ENUMS).items()}
