// What of .npy files is read, and how everything else is refused.
#include "npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "npy_file.h"
#include "temporary_folder.h"
#include "user_error.h"

namespace roipool::test {
namespace {

using cli::Array;
using cli::LoadNpy;
using cli::Uint16;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The message with which the file is refused; empty if it is read.
std::string Refusal(const std::string& bytes, Uint16 uint16 = Uint16::kRejected) {
  const TemporaryFolder folder;
  const std::string path = folder.File("a.npy");
  WriteBytes(path, bytes);
  try {
    LoadNpy(path, uint16);
    return {};
  } catch (const cli::UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("a.npy"));
    return error.what();
  }
}

template <typename T>
Array Load(const std::string& type, const std::string& shape, const std::vector<T>& values, Uint16 uint16 = Uint16::kRejected) {
  const TemporaryFolder folder;
  WriteBytes(folder.File("a.npy"), NpyBytes(type, shape, values));
  return LoadNpy(folder.File("a.npy"), uint16);
}

template <typename T>
std::vector<T> Values(const Array& array) {
  const auto* values = static_cast<const T*>(array.data.get());
  return {values, values + ElementCount(array)};
}

TEST(Npy, ReadsFloatsInRowMajorOrder) {
  const Array array = Load<float>("<f4", "(2, 3)", {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(array.type, DataType::kFloat32);
  EXPECT_THAT(array.shape, ElementsAre(2, 3));
  EXPECT_THAT(Values<float>(array), ElementsAre(1, 2, 3, 4, 5, 6));
  const TensorView view = View(array);
  EXPECT_EQ(view.rank, 2);
  EXPECT_EQ(view.strides[0], 3);
  EXPECT_EQ(view.strides[1], 1);
}

TEST(Npy, ReadsEveryTypeOfTheLibrary) {
  EXPECT_EQ(Load<uint16_t>("<f2", "(1,)", {0x3c00}).type, DataType::kFloat16);
  EXPECT_EQ(Load<double>("<f8", "(1,)", {1}).type, DataType::kFloat64);
  EXPECT_EQ(Load<int32_t>("<i4", "(1,)", {1}).type, DataType::kInt32);
  EXPECT_EQ(Load<int64_t>("<i8", "(1,)", {1}).type, DataType::kInt64);
  const Array bfloat16 = Load<uint16_t>("<u2", "(2,)", {0x3f80, 0xffff}, Uint16::kIsBFloat16);
  EXPECT_EQ(bfloat16.type, DataType::kBFloat16);
  EXPECT_THAT(Values<uint16_t>(bfloat16), ElementsAre(0x3f80, 0xffff));
}

TEST(Npy, ReadsEmptyArrays) {
  const Array array = Load<float>("<f4", "(0, 5)", {});
  EXPECT_THAT(array.shape, ElementsAre(0, 5));
  EXPECT_EQ(array.data, nullptr);
}

TEST(Npy, WritesWhatNumPyWrites) {
  const TemporaryFolder folder;
  for (const auto& [type, numpy_type, shape, python_shape] :
       {std::tuple<DataType, std::string, std::vector<int64_t>, std::string>{DataType::kFloat32, "<f4", {2, 3}, "(2, 3)"},
        {DataType::kInt32, "<i4", {3}, "(3,)"},
        {DataType::kBFloat16, "<u2", {1, 1, 2, 2}, "(1, 1, 2, 2)"},
        {DataType::kFloat64, "<f8", {2, 0, 3}, "(2, 0, 3)"}}) {
    Array array = cli::AllocateArray(type, shape);
    const auto bytes = static_cast<size_t>(ElementCount(array) * cli::ElementSize(type));
    const std::string payload = std::string("abcdefghijklmnopqrstuvwxyz").substr(0, bytes);
    if (bytes > 0) std::copy(payload.begin(), payload.end(), static_cast<char*>(array.data.get()));
    cli::OutputFile file(folder.File("out.npy"));
    SaveNpy(array, file);
    file.Commit();
    EXPECT_EQ(ReadBytes(folder.File("out.npy")), NpyHeaderBytes(NpyDictionary(numpy_type, python_shape)) + payload);
  }
}

TEST(Npy, RefusesWhatIsNoFile) {
  const TemporaryFolder folder;
  EXPECT_THROW(LoadNpy(folder.File("none.npy"), Uint16::kRejected), cli::UserError);
  EXPECT_THROW(LoadNpy(folder.File(""), Uint16::kRejected), cli::UserError);
}

TEST(Npy, RefusesWhatIsNoNpy) {
  EXPECT_THAT(Refusal(""), HasSubstr("is not a .npy file"));
  EXPECT_THAT(Refusal("PK\x03\x04 a zip archive, as .npz files are"), HasSubstr("is not a .npy file"));
  EXPECT_THAT(Refusal(std::string("\x93NUMPY\x09\x00\x76\x00", 10)), HasSubstr("version 9.0"));
}

TEST(Npy, RefusesEveryCutOffFile) {
  const std::string bytes = NpyBytes<float>("<f4", "(2, 3)", {1, 2, 3, 4, 5, 6});
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(Refusal(bytes.substr(0, size)), "") << "the first " << size << " bytes";
  }
  EXPECT_EQ(Refusal(bytes), "");
  EXPECT_THAT(Refusal(bytes + "x"), HasSubstr("longer than its array"));
}

TEST(Npy, NeverCrashesOnDamage) {
  const std::string bytes = NpyBytes<float>("<f4", "(2, 3)", {1, 2, 3, 4, 5, 6});
  const size_t dictionary_end = bytes.find('}');
  for (size_t at = 0; at <= dictionary_end; ++at) {
    for (char damage : {'\0', '\x7f', '\xff', '9', '\'', '(', ')', ',', '}'}) {
      std::string damaged = bytes;
      damaged[at] = damage;
      Refusal(damaged);  // Read or refused, both are right.
    }
  }
}

TEST(Npy, RefusesOtherOrders) {
  const std::string payload(24, '\0');
  EXPECT_THAT(Refusal(NpyHeaderBytes(NpyDictionary("<f4", "(2, 3)", "True")) + payload), HasSubstr("Fortran order"));
  EXPECT_THAT(Refusal(NpyHeaderBytes(NpyDictionary(">f4", "(2, 3)")) + payload), HasSubstr("big-endian ('>f4')"));
}

TEST(Npy, RefusesOtherTypes) {
  const std::string payload(24, '\0');
  for (const char* type : {"|u1", "|b1", "<c8", "<U1", "|O", "<f16", "<u4", "<i2", "", "float32"}) {
    EXPECT_THAT(Refusal(NpyHeaderBytes(NpyDictionary(type, "(2, 3)")) + payload), HasSubstr("NumPy type")) << type;
  }
  EXPECT_THAT(Refusal(NpyBytes<uint16_t>("<u2", "(1,)", {1})), HasSubstr("--bf16"));
  const std::string records = "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (6,), }";
  EXPECT_THAT(Refusal(NpyHeaderBytes(records) + payload), HasSubstr("records"));
}

TEST(Npy, RefusesShapesThatCannotBe) {
  EXPECT_THAT(Refusal(NpyBytes<float>("<f4", "()", {1})), HasSubstr("no dimensions"));
  EXPECT_THAT(Refusal(NpyBytes<float>("<f4", "(-1, 3)", {})), HasSubstr("(-1, 3)"));
  EXPECT_THAT(Refusal(NpyBytes<float>("<f4", "(2.5,)", {})), HasSubstr("cannot be read"));
  EXPECT_THAT(Refusal(NpyBytes<float>("<f4", "(1, 1, 1, 1, 1, 1, 1, 1, 1)", {1})), HasSubstr("9 dimensions"));
  EXPECT_THAT(Refusal(NpyBytes<float>("<f4", "(65536, 65536)", {})), HasSubstr("2147483647"));
  EXPECT_THAT(Refusal(NpyBytes<float>("<f4", "(9223372036854775807, 2)", {})), HasSubstr("2147483647"));
  EXPECT_THAT(Refusal(NpyBytes<float>("<f4", "(99999999999999999999,)", {})), HasSubstr("cannot be read"));
  // Says that it holds 8 GB, and is cut off: refused before memory for it is asked for.
  EXPECT_THAT(Refusal(NpyBytes<float>("<f4", "(2000000000,)", {1})), HasSubstr("cut off"));
}

TEST(Npy, RefusesHeadersThatNameAShapeTwice) {
  const std::string twice = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'shape': (2000000000,), }";
  EXPECT_THAT(Refusal(NpyHeaderBytes(twice) + std::string(4, '\0')), HasSubstr("header that cannot be read"));
}

TEST(Npy, RefusesPaddingThatHalideRefuses) {
  const std::string bytes = NpyHeaderBytes(NpyDictionary("<f4", "(1,)"), 16) + std::string(4, '\0');
  EXPECT_THAT(Refusal(bytes), HasSubstr("64 bytes"));
}

}  // namespace
}  // namespace roipool::test
