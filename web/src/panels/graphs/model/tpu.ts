// Which TensorFlow operations a TPU can run: those that XLA compiles, and those that only structure others. Nodes on
// other devices count as compatible, and so do function calls: the nodes of functions are counted separately.

import { CALL, type Columns } from "./columns";

// Maintained by hand, after what TensorFlow registers for XLA: a hint, not a guarantee. Old reference variables are
// left out. Grouped by purpose; each list is one string, because names are only looked up.
const COMPILED = [
  // elementwise
  "Abs Acos Acosh Add AddN AddV2 Angle ApproximateEqual Asin Asinh Atan Atan2 Atanh BesselI0e BesselI1e Betainc",
  "BitwiseAnd BitwiseOr BitwiseXor Bitcast Cast Ceil ClipByValue Complex ComplexAbs Conj Cos Cosh Digamma Div DivNoNan",
  "Equal Erf Erfc Erfinv Exp Expm1 Floor FloorDiv FloorMod Greater GreaterEqual Igamma IgammaGradA Igammac Imag Inv",
  "InvGrad Invert IsFinite IsInf IsNan LeftShift Less LessEqual Lgamma Log Log1p LogicalAnd LogicalNot LogicalOr Maximum",
  "Minimum Mod Mul MulNoNan Ndtri Neg NextAfter NotEqual Polygamma PopulationCount Pow RandomGammaGrad Real RealDiv",
  "Reciprocal ReciprocalGrad RightShift Rint Round Rsqrt RsqrtGrad Sigmoid SigmoidGrad Sign Sin Sinh Sqrt SqrtGrad Square",
  "SquaredDifference Sub Tan Tanh TanhGrad TruncateDiv TruncateMod Xdivy Xlog1py Xlogy Zeta",
  // reductions over axes
  "All Any ArgMax ArgMin Bincount Bucketize CollectiveReduceV2 Cumprod Cumsum CumulativeLogsumexp DenseBincount",
  "EuclideanNorm InTopKV2 Max Mean Min Prod SegmentMaxV2 SegmentMinV2 SegmentProdV2 SegmentSumV2 Sum TopK TopKV2",
  "Unique UniqueV2 UnsortedSegmentMax UnsortedSegmentMin UnsortedSegmentProd UnsortedSegmentSum UpperBound LowerBound",
  // matrices
  "BatchMatMul BatchMatMulV2 BatchMatMulV3 Cholesky Cross Einsum LogMatrixDeterminant MatMul MatrixBandPart",
  "MatrixDeterminant MatrixDiag MatrixDiagPart MatrixDiagPartV2 MatrixDiagPartV3 MatrixDiagV2 MatrixDiagV3 MatrixInverse",
  "MatrixSetDiag MatrixSetDiagV2 MatrixSetDiagV3 MatrixSolve MatrixTriangularSolve Qr SelfAdjointEigV2 SparseMatMul",
  "Svd TridiagonalMatMul TridiagonalSolve FFT FFT2D FFT3D IFFT IFFT2D IFFT3D RFFT RFFT2D RFFT3D",
  "IRFFT IRFFT2D IRFFT3D",
  // layers
  "ApproxTopK AvgPool AvgPool3D AvgPool3DGrad AvgPoolGrad BiasAdd BiasAddGrad BiasAddV1",
  "Conv2D Conv2DBackpropFilter Conv2DBackpropInput Conv3D Conv3DBackpropFilterV2 Conv3DBackpropInputV2 DataFormatDimMap",
  "DataFormatVecPermute DepthwiseConv2dNative DepthwiseConv2dNativeBackpropFilter DepthwiseConv2dNativeBackpropInput Elu",
  "EluGrad FakeQuantWithMinMaxArgs FakeQuantWithMinMaxArgsGradient FakeQuantWithMinMaxVars FakeQuantWithMinMaxVarsGradient",
  "FakeQuantWithMinMaxVarsPerChannel FusedBatchNorm FusedBatchNormGrad FusedBatchNormGradV2 FusedBatchNormGradV3",
  "FusedBatchNormV2 FusedBatchNormV3 L2Loss LRN LRNGrad LeakyRelu LeakyReluGrad LogSoftmax MaxPool MaxPool3D MaxPool3DGrad",
  "MaxPool3DGradGrad MaxPoolGrad MaxPoolGradGrad MaxPoolGradGradV2 MaxPoolGradV2 MaxPoolV2 NonMaxSuppressionV3",
  "NonMaxSuppressionV4 QuantizeAndDequantize QuantizeAndDequantizeV2 QuantizeAndDequantizeV3 QuantizeAndDequantizeV4 Relu",
  "Relu6 Relu6Grad ReluGrad Selu SeluGrad Softmax SoftmaxCrossEntropyWithLogits Softplus SoftplusGrad Softsign SoftsignGrad",
  "SparseSoftmaxCrossEntropyWithLogits AdjustContrastv2 AdjustHue AdjustSaturation ExtractImagePatches HSVToRGB RGBToHSV",
  "ImageProjectiveTransformV3 ResizeBilinear ResizeBilinearGrad ResizeNearestNeighbor ResizeNearestNeighborGrad",
  // shapes and indexing
  "BatchToSpace BatchToSpaceND BroadcastArgs BroadcastGradientArgs BroadcastTo Concat ConcatOffset ConcatV2 Const DepthToSpace",
  "Diag DiagPart DynamicPartition DynamicStitch EmptyLike Empty EnsureShape ExpandDims Fill Gather GatherNd GatherV2 Identity",
  "IdentityN InplaceAdd InplaceUpdate InvertPermutation LinSpace ListDiff MirrorPad MirrorPadGrad OneHot OnesLike Pack Pad",
  "PadV2 ParallelDynamicStitch PlaceholderWithDefault Range Rank Reshape Reverse ReverseSequence ReverseV2 Roll ScatterNd",
  "Select SelectV2 Shape ShapeN Size Slice Snapshot SpaceToBatch SpaceToBatchND SpaceToDepth SparseToDense Split SplitV",
  "Squeeze StridedSlice StridedSliceGrad TensorScatterAdd TensorScatterMax TensorScatterMin TensorScatterSub",
  "TensorScatterUpdate TensorStridedSliceUpdate Tile Transpose ConjugateTranspose Unpack Where ZerosLike",
  // random numbers
  "Multinomial RandomShuffle RandomStandardNormal RandomUniform RandomUniformInt RngReadAndSkip RngSkip StatefulNormal",
  "StatefulRandomBinomial StatefulStandardNormalV2 StatefulTruncatedNormal StatefulUniform StatefulUniformFullInt",
  "StatefulUniformInt StatelessMultinomial StatelessParameterizedTruncatedNormal StatelessRandomGammaV2",
  "StatelessRandomGetAlg StatelessRandomGetKeyCounter StatelessRandomGetKeyCounterAlg StatelessRandomNormal",
  "StatelessRandomNormalV2 StatelessRandomUniform StatelessRandomUniformFullInt StatelessRandomUniformFullIntV2",
  "StatelessRandomUniformInt StatelessRandomUniformIntV2 StatelessRandomUniformV2 StatelessTruncatedNormal",
  "StatelessTruncatedNormalV2 TruncatedNormal",
  // variables and optimizers
  "AssignAddVariableOp AssignSubVariableOp AssignVariableOp ReadVariableOp ResourceApplyAdaMax",
  "ResourceApplyAdadelta ResourceApplyAdagrad ResourceApplyAdagradDA ResourceApplyAdagradV2 ResourceApplyAdam",
  "ResourceApplyAddSign ResourceApplyCenteredRMSProp ResourceApplyFtrl ResourceApplyFtrlV2 ResourceApplyGradientDescent",
  "ResourceApplyKerasMomentum ResourceApplyMomentum ResourceApplyPowerSign ResourceApplyProximalAdagrad",
  "ResourceApplyProximalGradientDescent ResourceApplyRMSProp ResourceGather ResourceGatherNd ResourceScatterAdd",
  "ResourceScatterDiv ResourceScatterMax ResourceScatterMin ResourceScatterMul ResourceScatterNdAdd ResourceScatterNdSub",
  "ResourceScatterNdUpdate ResourceScatterSub ResourceScatterUpdate ResourceStridedSliceAssign VarHandleOp",
  "VarIsInitializedOp VariableShape",
  // growing lists
  "EmptyTensorList StackCloseV2 StackPopV2 StackPushV2 StackV2 TensorArrayCloseV3 TensorArrayConcatV3 TensorArrayGatherV3",
  "TensorArrayGradV3 TensorArrayReadV3 TensorArrayScatterV3 TensorArraySizeV3 TensorArraySplitV3 TensorArrayV3",
  "TensorArrayWriteV3 TensorListConcatV2 TensorListElementShape TensorListFromTensor TensorListGather TensorListGetItem",
  "TensorListLength TensorListPopBack TensorListPushBack TensorListReserve TensorListSetItem TensorListSplit",
  "TensorListStack",
  // control flow and structure
  "Assert Case CheckNumerics ControlTrigger Enter Exit If LoopCond Merge NextIteration NoOp PartitionedCall Placeholder",
  "PreventGradient StatefulPartitionedCall StatelessCase",
  "StatelessIf StatelessWhile StopGradient Switch SymbolicGradient While ReadVariableXlaSplitND AssignVariableXlaConcatND",
  "_Arg _ArrayToList _DeviceArg _DeviceRetval _ListToArray _Recv _Retval _Send _XlaRecvAtHost _XlaSendFromHost",
  // inputs and outputs of functions, as the server names them
  "input_arg output_arg",
  // operations specific to TPUs
  "AllToAll CollectivePermute CrossReplicaSum InfeedDequeue InfeedDequeueTuple OutfeedEnqueue OutfeedEnqueueTuple",
  "TPUCompilationResult TPUEmbeddingActivations TPUPartitionedCall TPUPartitionedInput TPUPartitionedInputV2",
  "TPUPartitionedOutput TPUPartitionedOutputV2 TPUReplicate TPUReplicateMetadata TPUReplicatedInput TPUReplicatedOutput",
  "TPUExecute TPUExecuteAndUpdateVariables XlaSplitND XlaConcatND",
];

const RUNS: ReadonlySet<string> = new Set(COMPILED.flatMap((line) => line.split(" ")));

/** Operations that XLA offers to programs directly: XlaDot, XlaReduce, … */
const OWN = /^Xla[A-Z]/;

export const [FITS, DOES_NOT] = [0, 1] as const;
/** Names of the codes, as for devices. */
export const TPU_CODES: readonly string[] = ["fits", "does not"];

/** Returns a code per node; null if the operations do not seem to be from TensorFlow. */
export function tpuCodes(columns: Columns): Uint8Array | null {
  const { ops, op, device, devices, kind } = columns;
  // torch writes aten::mul; Keras layers and ONNX files have few or no names of TensorFlow operations
  const known = ops.filter((one) => RUNS.has(one)).length;
  if (ops.some((one) => one.includes("::")) || known === 0 || known * 4 < ops.length) return null;
  const runs = ops.map((one) => one === "" || RUNS.has(one) || OWN.test(one));
  const elsewhere = devices.map((one) => one !== "" && (!/tpu/i.test(one) || /TPU_SYSTEM|\bcpu:/i.test(one)));
  return Uint8Array.from({ length: columns.names.length }, (_, i) =>
    kind[i] === CALL || elsewhere[device[i] ?? -1] === true || runs[op[i] ?? -1] !== false ? FITS : DOES_NOT,
  );
}
