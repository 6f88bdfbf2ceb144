#include "photograph.h"

#include <cairo.h>
#include <fmt/format.h>
#include <turbojpeg.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string_view>

#include "user_error.h"

namespace roipool::cli {
namespace {

constexpr std::string_view kPngMagic("\x89PNG\r\n\x1a\n", 8);
constexpr std::string_view kJpegMagic("\xff\xd8\xff", 3);
constexpr uintmax_t kMaxFileBytes = uintmax_t{1} << 29;

std::string ReadFile(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw UserError(fmt::format("picture '{}' does not exist", path));
  if (!std::filesystem::is_regular_file(status)) throw UserError(fmt::format("picture '{}' is not a regular file", path));
  if (std::filesystem::file_size(path, error) > kMaxFileBytes) {
    throw UserError(fmt::format("picture '{}' is larger than {} MiB", path, kMaxFileBytes >> 20));
  }
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw UserError(fmt::format("picture '{}' cannot be read", path));
  return bytes;
}

void CheckSize(const std::string& path, int64_t width, int64_t height) {
  if (std::min(width, height) >= kMinPhotographSide && std::max(width, height) <= kMaxPhotographSide) return;
  throw UserError(fmt::format("picture '{}' has {} x {} pixels; each side must have {} to {}", path, width, height,
                              kMinPhotographSide, kMaxPhotographSide));
}

uint32_t BigEndian(std::string_view bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = at; i < at + 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

cairo_status_t ReadFromMemory(void* closure, unsigned char* data, unsigned int length) {
  auto* rest = static_cast<std::string_view*>(closure);
  if (rest->size() < length) return CAIRO_STATUS_READ_ERROR;
  std::memcpy(data, rest->data(), length);
  rest->remove_prefix(length);
  return CAIRO_STATUS_SUCCESS;
}

Photograph FromSurface(cairo_surface_t* surface) {
  Photograph photograph{cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface), {}};
  photograph.rgb.reserve(static_cast<size_t>(photograph.width) * photograph.height * 3);
  const unsigned char* rows = cairo_image_surface_get_data(surface);
  const int stride = cairo_image_surface_get_stride(surface);
  for (int y = 0; y < photograph.height; ++y) {
    for (int x = 0; x < photograph.width; ++x) {
      uint32_t pixel = 0;
      std::memcpy(&pixel, rows + static_cast<size_t>(y) * stride + static_cast<size_t>(x) * 4, 4);
      for (int shift : {16, 8, 0}) photograph.rgb.push_back(static_cast<uint8_t>(pixel >> shift));
    }
  }
  return photograph;
}

// With cairo rather than Halide's reader: that one takes palette and interlaced files for something else.
Photograph LoadPng(const std::string& path, std::string_view bytes) {
  if (bytes.size() < 24) throw UserError(fmt::format("picture '{}' is a PNG that ends in its header", path));
  CheckSize(path, BigEndian(bytes, 16), BigEndian(bytes, 20));
  using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
  const Surface png(cairo_image_surface_create_from_png_stream(ReadFromMemory, &bytes), cairo_surface_destroy);
  if (cairo_surface_status(png.get()) != CAIRO_STATUS_SUCCESS) {
    throw UserError(
        fmt::format("picture '{}' is a damaged PNG ({})", path, cairo_status_to_string(cairo_surface_status(png.get()))));
  }
  const Surface opaque(cairo_image_surface_create(CAIRO_FORMAT_RGB24, cairo_image_surface_get_width(png.get()),
                                                  cairo_image_surface_get_height(png.get())),
                       cairo_surface_destroy);
  const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> context(cairo_create(opaque.get()), cairo_destroy);
  cairo_set_source_rgb(context.get(), 1, 1, 1);
  cairo_paint(context.get());
  cairo_set_source_surface(context.get(), png.get(), 0, 0);
  cairo_paint(context.get());
  cairo_surface_flush(opaque.get());
  return FromSurface(opaque.get());
}

// With TurboJPEG rather than Halide's reader: that one ends the process when a file is damaged.
Photograph LoadJpeg(const std::string& path, std::string_view bytes) {
  const std::unique_ptr<void, decltype(&tjDestroy)> decoder(tjInitDecompress(), tjDestroy);
  if (decoder == nullptr) throw std::runtime_error(fmt::format("TurboJPEG does not start: {}", tjGetErrorStr2(nullptr)));
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  const auto size = static_cast<unsigned long>(bytes.size());
  Photograph photograph;
  int subsampling = 0;
  int colour_space = 0;
  const auto fail = [&] {
    throw UserError(fmt::format("picture '{}' is a damaged or unusual JPEG ({})", path, tjGetErrorStr2(decoder.get())));
  };
  if (tjDecompressHeader3(decoder.get(), data, size, &photograph.width, &photograph.height, &subsampling, &colour_space) != 0)
    fail();
  CheckSize(path, photograph.width, photograph.height);
  photograph.rgb.resize(static_cast<size_t>(photograph.width) * photograph.height * 3);
  if (tjDecompress2(decoder.get(), data, size, photograph.rgb.data(), photograph.width, 0, photograph.height, TJPF_RGB, 0) != 0)
    fail();
  return photograph;
}

}  // namespace

Photograph LoadPhotograph(const std::string& path) {
  const std::string bytes = ReadFile(path);
  const std::string_view view = bytes;
  if (view.starts_with(kPngMagic)) return LoadPng(path, view);
  if (view.starts_with(kJpegMagic)) return LoadJpeg(path, view);
  throw UserError(fmt::format("picture '{}' is neither PNG nor JPEG", path));
}

}  // namespace roipool::cli
