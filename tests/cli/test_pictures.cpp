#include "test_pictures.h"

#include <cairo.h>
#include <turbojpeg.h>

#include <memory>
#include <stdexcept>
#include <vector>

namespace roipool::test {
namespace {

cairo_status_t Append(void* closure, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

uint32_t BigEndian(const std::string& bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = at; i < at + 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

cli::Photograph GreyPicture(int width, int height, uint8_t grey) {
  return {width, height, std::vector<uint8_t>(static_cast<size_t>(width) * height * 3, grey)};
}

cli::Photograph SquaresPicture(int width, int height, int side, int period) {
  cli::Photograph picture = GreyPicture(width, height, 0);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const bool is_white = x % period < side && y % period < side;
      for (int c = 0; c < 3; ++c) picture.rgb[(static_cast<size_t>(y) * width + x) * 3 + c] = is_white ? 255 : 0;
    }
  }
  return picture;
}

std::string PngBytes(const cli::Photograph& picture) {
  std::vector<uint32_t> pixels;
  for (size_t i = 0; i < picture.rgb.size(); i += 3) {
    pixels.push_back(uint32_t{picture.rgb[i]} << 16 | uint32_t{picture.rgb[i + 1]} << 8 | picture.rgb[i + 2]);
  }
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
      cairo_image_surface_create_for_data(reinterpret_cast<unsigned char*>(pixels.data()), CAIRO_FORMAT_RGB24, picture.width,
                                          picture.height, picture.width * 4),
      cairo_surface_destroy);
  std::string bytes;
  if (cairo_surface_write_to_png_stream(surface.get(), Append, &bytes) != CAIRO_STATUS_SUCCESS)
    throw std::runtime_error("no PNG");
  return bytes;
}

std::string JpegBytes(const cli::Photograph& picture) {
  constexpr int kQuality = 95;
  const std::unique_ptr<void, decltype(&tjDestroy)> encoder(tjInitCompress(), tjDestroy);
  unsigned char* data = nullptr;
  unsigned long size = 0;
  const int result = tjCompress2(encoder.get(), picture.rgb.data(), picture.width, 0, picture.height, TJPF_RGB, &data, &size,
                                 TJSAMP_444, kQuality, 0);
  const std::unique_ptr<unsigned char, decltype(&tjFree)> owner(data, tjFree);
  if (result != 0) throw std::runtime_error("no JPEG");
  return {reinterpret_cast<const char*>(data), size};
}

std::string InterlacedPalettePngBytes() {
  static constexpr unsigned char kBytes[] = {
      0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x20,
      0x00, 0x00, 0x00, 0x20, 0x01, 0x03, 0x00, 0x00, 0x01, 0x3e, 0xb3, 0xd8, 0x21, 0x00, 0x00, 0x00, 0x06, 0x50, 0x4c, 0x54,
      0x45, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0x6c, 0xa1, 0xfd, 0x8e, 0x00, 0x00, 0x00, 0x17, 0x49, 0x44, 0x41, 0x54, 0x78,
      0xda, 0x63, 0x30, 0x60, 0x40, 0x85, 0xfc, 0x38, 0x20, 0xc3, 0x7f, 0x2a, 0x21, 0x86, 0xff, 0xd4, 0x24, 0x00, 0x2d, 0x5b,
      0x39, 0xfd, 0xc3, 0x23, 0x55, 0x7a, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
  };
  return {reinterpret_cast<const char*>(kBytes), sizeof(kBytes)};
}

std::pair<uint32_t, uint32_t> PngSize(const std::string& bytes) {
  if (bytes.size() < 24 || bytes.compare(1, 3, "PNG") != 0) throw std::runtime_error("these bytes are no PNG");
  return {BigEndian(bytes, 16), BigEndian(bytes, 20)};
}

}  // namespace roipool::test
