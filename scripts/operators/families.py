# SPDX-License-Identifier: Apache-2.0
"""The family of each operator, and the shape rule that infers its results: the part of an operator's record
that its schema does not have. A family is a header of records, of verbs and of rules.
"""

# family: {rule: operators}
FAMILIES = {
    "elementwise": {
        "same": "Abs Acos Acosh Asin Asinh Atan Atanh Ceil Cos Cosh Erf Exp Floor Log Neg Reciprocal Round Sign Sin "
                "Sinh Sqrt Tan Tanh BitwiseNot Not",
        "mod": "Mod",
        "broadcast": "Add Sub Mul Div Pow And Or Xor BitShift BitwiseAnd BitwiseOr BitwiseXor Equal Greater "
                     "GreaterOrEqual Less LessOrEqual Max Min Mean Sum",
        "test": "IsInf IsNaN",
        "clip": "Clip",
        "where": "Where",
    },
    "activation": {
        "same": "Celu Elu HardSigmoid HardSwish LeakyRelu Mish Relu Selu Shrink Sigmoid Softplus Softsign Swish "
                "ThresholdedRelu",
        "gelu": "Gelu",
        "prelu": "PRelu",
        "gated": "SwiGLU",
        "along_axis": "Softmax LogSoftmax Hardmax",
    },
    "reduction": {
        "reduce": "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum "
                  "ReduceSumSquare",
        "arg_extreme": "ArgMax ArgMin",
        "cumulative": "CumSum CumProd",
    },
    "shape": {
        "cast": "Cast", "cast_like": "CastLike", "bit_cast": "BitCast",
        "reshape": "Reshape", "flatten": "Flatten", "transpose": "Transpose", "squeeze": "Squeeze",
        "unsqueeze": "Unsqueeze", "expand": "Expand", "tile": "Tile", "concat": "Concat", "split": "Split",
        "slice": "Slice", "pad": "Pad", "center_crop_pad": "CenterCropPad", "shape_of": "Shape", "size_of": "Size",
        "depth_to_space": "DepthToSpace", "space_to_depth": "SpaceToDepth", "trilu": "Trilu",
        "reverse_sequence": "ReverseSequence", "identity": "Identity",
    },
    "indexing": {
        "gather": "Gather", "gather_elements": "GatherElements", "gather_nd": "GatherND",
        "scatter_elements": "ScatterElements", "scatter_nd": "ScatterND", "tensor_scatter": "TensorScatter",
        "compress": "Compress", "non_zero": "NonZero", "one_hot": "OneHot", "top_k": "TopK", "unique": "Unique",
        "non_max_suppression": "NonMaxSuppression",
    },
    "linear": {
        "matmul": "MatMul", "matmul_integer": "MatMulInteger", "qlinear_matmul": "QLinearMatMul", "gemm": "Gemm",
        "einsum": "Einsum", "det": "Det",
    },
    "convolution": {
        "conv": "Conv ConvInteger QLinearConv", "conv_transpose": "ConvTranspose", "deform_conv": "DeformConv",
        "col2im": "Col2Im", "causal_conv": "CausalConvWithState",
    },
    "pooling": {
        "pool": "MaxPool AveragePool LpPool", "global_pool": "GlobalAveragePool GlobalMaxPool GlobalLpPool",
        "max_unpool": "MaxUnpool", "max_roi_pool": "MaxRoiPool", "roi_align": "RoiAlign",
    },
    "normalization": {
        "batch_normalization": "BatchNormalization", "layer_normalization": "LayerNormalization",
        "channel_normalization": "InstanceNormalization GroupNormalization",
        "lrn": "LRN", "mean_variance_normalization": "MeanVarianceNormalization",
        "rms_normalization": "RMSNormalization", "lp_normalization": "LpNormalization",
        "dropout": "Dropout",
    },
    "recurrent": {"recurrent": "RNN GRU LSTM"},
    "attention": {
        "attention": "Attention", "rotary_embedding": "RotaryEmbedding", "linear_attention": "LinearAttention",
    },
    "control": {"if_": "If", "loop": "Loop", "scan": "Scan"},
    "random": {
        "random": "RandomNormal RandomUniform", "random_like": "RandomNormalLike RandomUniformLike Bernoulli",
        "multinomial": "Multinomial",
    },
    "constant": {
        "constant": "Constant", "constant_of_shape": "ConstantOfShape", "eye_like": "EyeLike", "range": "Range",
    },
    "quantization": {
        "quantize_linear": "QuantizeLinear", "dequantize_linear": "DequantizeLinear",
        "dynamic_quantize_linear": "DynamicQuantizeLinear",
    },
    "sequence": {
        "sequence_at": "SequenceAt", "sequence_construct": "SequenceConstruct", "sequence_empty": "SequenceEmpty",
        "sequence_erase": "SequenceErase", "sequence_insert": "SequenceInsert", "sequence_length": "SequenceLength",
        "sequence_map": "SequenceMap", "split_to_sequence": "SplitToSequence",
        "concat_from_sequence": "ConcatFromSequence", "optional": "Optional",
        "optional_get_element": "OptionalGetElement", "optional_has_element": "OptionalHasElement",
        "broadcast": "StringConcat", "string_normalizer": "StringNormalizer", "string_split": "StringSplit",
        "test": "RegexFullMatch", "tf_idf_vectorizer": "TfIdfVectorizer",
    },
    "signal": {
        "dft": "DFT", "stft": "STFT", "window": "BlackmanWindow HammingWindow HannWindow",
        "mel_weight_matrix": "MelWeightMatrix", "resize": "Resize", "grid_sample": "GridSample",
        "affine_grid": "AffineGrid", "image_decoder": "ImageDecoder",
    },
    "loss": {
        "negative_log_likelihood_loss": "NegativeLogLikelihoodLoss",
        "softmax_cross_entropy_loss": "SoftmaxCrossEntropyLoss",
        "training": "Adagrad Adam Momentum",
    },
    "ml": {
        "array_feature_extractor": "ArrayFeatureExtractor", "mapped": "Binarizer CategoryMapper LabelEncoder",
        "imputer": "Imputer Scaler", "feature_vectorizer": "FeatureVectorizer",
        "linear_classifier": "LinearClassifier", "linear_regressor": "LinearRegressor", "normalizer": "Normalizer",
        "one_hot_encoder": "OneHotEncoder", "svm_classifier": "SVMClassifier", "svm_regressor": "SVMRegressor",
        "tree_ensemble": "TreeEnsemble", "tree_ensemble_classifier": "TreeEnsembleClassifier",
        "tree_ensemble_regressor": "TreeEnsembleRegressor",
    },
}  # fmt: skip

DOMAINS = {"": (17, 28), "ai.onnx.ml": (1, 5), "ai.onnx.preview.training": (1, 1)}

# Operators whose attributes or operands are not tensors: maps, and differentiation by the runtime.
WITHOUT_VERBS = {"CastMap", "DictVectorizer", "ZipMap", "Gradient"}

# Rules that take operands of unknown rank, sequences and optionals.
ANY_TYPE = {
    "same", "gelu", "cast", "cast_like", "identity", "if_", "loop", "scan", "sequence_at", "sequence_construct",
    "sequence_empty", "sequence_erase", "sequence_insert", "sequence_length", "sequence_map", "split_to_sequence",
    "concat_from_sequence",
    "optional", "optional_get_element", "optional_has_element", "shape_of", "size_of", "reshape", "constant",
}  # fmt: skip

RANDOM = {
    "RandomNormal",
    "RandomUniform",
    "RandomNormalLike",
    "RandomUniformLike",
    "Bernoulli",
    "Multinomial",
    "Dropout",
}

# C++ wants the members of an aggregate in the order of their declaration. These come first, in this order, then all
# others in the order of their names: from what is stated most often to what is stated least.
FIRST_ATTRIBUTES = [
    "equation", "axis", "axes", "perm", "to", "kernel_shape", "strides", "pads", "dilations", "group", "auto_pad",
    "hidden_size", "direction", "is_causal", "scale", "q_num_heads", "kv_num_heads", "num_groups", "epsilon", "mode",
    "alpha", "beta", "keepdims",
]  # fmt: skip

# Integer attributes that mean true or false.
FLAGS = {
    "keepdims", "noop_with_empty_axes", "exclusive", "reverse", "is_causal", "ceil_mode", "count_include_pad",
    "select_last_index", "sorted", "largest", "onesided", "inverse", "periodic", "align_corners", "exclude_outside",
    "antialias", "training_mode", "saturate", "allowzero", "upper", "linear_before_reset", "input_forget",
    "interleaved",
    "transA", "transB", "detect_positive", "detect_negative", "is_case_sensitive", "fmod", "zeros", "keepdim",
    "normalize_variance",
}  # fmt: skip

# Integer attributes that are dtypes.
DTYPES = {"to", "dtype", "output_datatype", "output_dtype", "softmax_precision", "stash_type", "precision"}

# Attributes that are one of a few strings: enumeration, its strings. An operator's own entry precedes that of a name.
CHOICES = {
    "auto_pad": ("auto_pad", ["NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"]),
    "BitShift.direction": ("shift_direction", ["LEFT", "RIGHT"]),
    "direction": ("direction", ["forward", "reverse", "bidirectional"]),
    "Pad.mode": ("pad_mode", ["constant", "reflect", "edge", "wrap"]),
    "Resize.mode": ("resize_mode", ["nearest", "linear", "cubic"]),
    "GridSample.mode": ("sample_mode", ["linear", "nearest", "cubic"]),
    "RoiAlign.mode": ("roi_mode", ["avg", "max"]),
    "DepthToSpace.mode": ("depth_mode", ["DCR", "CRD"]),
    "TensorScatter.mode": ("cache_mode", ["linear", "circular"]),
    "padding_mode": ("padding_mode", ["zeros", "border", "reflection"]),
    "approximate": ("gelu_approximation", ["none", "tanh"]),
    "ScatterElements.reduction": ("scatter_reduction", ["none", "add", "mul", "max", "min"]),
    "ScatterND.reduction": ("scatter_reduction", ["none", "add", "mul", "max", "min"]),
    "reduction": ("loss_reduction", ["none", "sum", "mean"]),
    "coordinate_transformation_mode": (
        "coordinate_mode",
        ["half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
         "tf_crop_and_resize",
         "output_half_pixel"],
    ),
    "nearest_mode": ("nearest_mode", ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]),
    "keep_aspect_ratio_policy": ("aspect_ratio", ["stretch", "not_larger", "not_smaller"]),
    "case_change_action": ("case_change", ["NONE", "LOWER", "UPPER"]),
    "update_rule": ("update_rule", ["linear", "gated", "delta", "gated_delta"]),
    "activation": ("conv_activation", ["none", "silu", "swish"]),
    "pixel_format": ("pixel_format", ["RGB", "BGR", "Grayscale"]),
}  # fmt: skip

# The verbs of operators whose names in snake_case are keywords of C++, or read badly.
NAMES = {
    "Shape": "shape_of", "And": "and_", "Or": "or_", "Xor": "xor_", "Not": "not_", "If": "if_", "MatMul": "matmul",
    "CumSum": "cumsum",
    "CumProd": "cumprod", "IsInf": "isinf", "IsNaN": "isnan", "ArgMax": "argmax", "ArgMin": "argmin",
    "LogSoftmax": "log_softmax", "PRelu": "prelu", "LRN": "lrn", "RNN": "rnn", "GRU": "gru", "LSTM": "lstm",
    "DFT": "dft",
    "STFT": "stft", "ScatterND": "scatter_nd", "GatherND": "gather_nd", "RMSNormalization": "rms_normalization",
    "MatMulInteger": "matmul_integer", "QLinearMatMul": "qlinear_matmul", "QLinearConv": "qlinear_conv",
    "Col2Im": "col2im", "SwiGLU": "swiglu", "ReduceL1": "reduce_l1", "ReduceL2": "reduce_l2", "BitCast": "bitcast",
    "SVMClassifier": "svm_classifier", "SVMRegressor": "svm_regressor", "TfIdfVectorizer": "tf_idf_vectorizer",
}  # fmt: skip

# Summaries of operators whose documentation does not begin with one.
SUMMARIES = {
    "Einsum": "Einstein summation: output[output-term] = reduce-sum(input1[term1] * input2[term2] * ...) over the "
              "indices that the output's term lacks",
    "Mish": "x * tanh(softplus(x)), elementwise",
}  # fmt: skip

# Verbs written by hand: their bodies are lambdas, or their attributes are one value.
BY_HAND = {"If", "Loop", "Scan", "SequenceMap", "Constant"}

# Examples on the pages of operators: those whose result the test of the onnx package states more exactly than a shape
# rule can, and operators without an example, or without one of typed handles.
EXAMPLE_RESULTS = {
    "AffineGrid": "f32[2,?,?,2]",
    "BlackmanWindow": "f32[?]",
    "Col2Im": "f32[1,?,?,?]",
    "Compress": "f32[?,2]",
    "HammingWindow": "f32[?]",
    "HannWindow": "f32[?]",
    "ImageDecoder": "u8[?,?,?]",
    "MelWeightMatrix": "f32[?,?]",
    "NonMaxSuppression": "i64[?,3]",
    "NonZero": "i64[2,?]",
    "OneHot": "i32[3,?]",
    "Range": "f32[?]",
    "Resize": "f32[?,?,?,?]",
    "STFT": "f32[1,?,?,2]",
    "StringNormalizer": "string[?]",
    "StringSplit": "string[2,?]",
    "Unique": "bf16[?]",
}
WITHOUT_EXAMPLE = set()
WITHOUT_TYPED_EXAMPLE = set()
