# The tool, the library and its C interface. Builds the commits of the repository that contains this file; a formula of
# a release has its archive's address instead, and a homepage.
class Jax2onnx < Formula
  desc "Exports JAX programs to ONNX"
  url "file://#{File.expand_path("../..", __dir__)}", using: :git, branch: "main"
  version "0.1.0"
  license "Apache-2.0"

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "fmt" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "rapidjson"
  uses_from_macos "zlib"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *std_cmake_args, "-DJAX2ONNX_BUILD_TESTS=OFF",
           "-DJAX2ONNX_BUILD_EXAMPLES=OFF", "-DCMAKE_DISABLE_FIND_PACKAGE_ONNX=ON",
           "-DCMAKE_DISABLE_FIND_PACKAGE_Protobuf=ON"
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
    generate_completions_from_executable(bin/"jax2onnx", "--completion", shells: [:bash, :zsh, :fish])
  end

  test do
    (testpath/"sine.jaxpr").write "{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }"
    system bin/"jax2onnx", "sine.jaxpr", "-o", "sine.onnx"
    assert_path_exists testpath/"sine.onnx"
  end
end
