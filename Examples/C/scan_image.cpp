// SPDX-License-Identifier: Apache-2.0
#include "scan_image.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <png.h>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace {

constexpr double radians_per_degree = 3.14159265358979323846 / 180;

/* Limits, because a header can claim any size; the largest photographs of phones have 50 million. */
constexpr uint64_t most_pixels = 50'000'000;
constexpr uint32_t longest_side = 16'384; /* a long strip needs far more pixels once it is turned */

using File = std::unique_ptr<FILE, int (*)(FILE *)>;

/* Opens only a regular file: a pipe could block, and a directory cannot be read. */
File open_file(const char *path) {
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    throw std::runtime_error(std::strerror(errno));
  }
  struct stat state;
  FILE *file = nullptr;
  if (fstat(descriptor, &state) == 0 && S_ISREG(state.st_mode)) {
    file = fdopen(descriptor, "rb");
  }
  if (file == nullptr) {
    close(descriptor);
    throw std::runtime_error("not a file");
  }
  return File(file, std::fclose);
}

/* libpng's state, freed even if reading fails. */
struct Png {
  png_image image{};

  Png() { image.version = PNG_IMAGE_VERSION; }
  ~Png() { png_image_free(&image); }

  void check(int succeeded) {
    if (!succeeded) {
      throw std::runtime_error(std::string("not a PNG image: ") + image.message);
    }
  }
};

}  // namespace

GreyImage::GreyImage(int width, int height)
    : width_(width),
      height_(height),
      pixels_(static_cast<size_t>(width) * static_cast<size_t>(height), 255) {}

GreyImage::~GreyImage() {
  if (!pixels_.empty()) {
    explicit_bzero(pixels_.data(), pixels_.size());
  }
}

GreyImage &GreyImage::operator=(GreyImage &&other) noexcept {
  std::swap(width_, other.width_);
  std::swap(height_, other.height_);
  pixels_.swap(other.pixels_);
  return *this;
}

GreyImage GreyImage::read_png(const char *path) {
  const File file = open_file(path);
  Png png;
  png.check(png_image_begin_read_from_stdio(&png.image, file.get()));
  const uint64_t width = png.image.width, height = png.image.height;
  if (width > longest_side || height > longest_side || width * height > most_pixels) {
    throw std::runtime_error("the image has too many pixels");
  }
  png.image.format = PNG_FORMAT_GRAY;
  GreyImage grey(static_cast<int>(width), static_cast<int>(height));
  const png_color white = {255, 255, 255}; /* behind transparent pixels */
  png.check(png_image_finish_read(&png.image, &white, grey.pixels_.data(), 0, nullptr));
  return grey;
}

uint8_t GreyImage::at(int x, int y) const {
  const bool is_inside = x >= 0 && y >= 0 && x < width_ && y < height_;
  return is_inside
             ? pixels_
                   [static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x)]
             : 255;
}

uint8_t GreyImage::blended(double x, double y) const {
  const int left = static_cast<int>(std::floor(x)), top = static_cast<int>(std::floor(y));
  const double right_share = x - left, bottom_share = y - top;
  const double upper = at(left, top) * (1 - right_share) + at(left + 1, top) * right_share;
  const double lower = at(left, top + 1) * (1 - right_share) + at(left + 1, top + 1) * right_share;
  return static_cast<uint8_t>(std::lround(upper * (1 - bottom_share) + lower * bottom_share));
}

GreyImage GreyImage::halved() const {
  GreyImage result(width_ / 2, height_ / 2);
  size_t index = 0;
  for (int y = 0; y < result.height_; y++) {
    for (int x = 0; x < result.width_; x++, index++) {
      const int sum =
          at(2 * x, 2 * y) + at(2 * x + 1, 2 * y) + at(2 * x, 2 * y + 1) + at(2 * x + 1, 2 * y + 1);
      result.pixels_[index] = static_cast<uint8_t>(sum / 4);
    }
  }
  return result;
}

GreyImage GreyImage::turned(int degrees) const {
  const double sine = std::sin(degrees * radians_per_degree);
  const double cosine = std::cos(degrees * radians_per_degree);
  GreyImage result(
      static_cast<int>(std::ceil(width_ * std::fabs(cosine) + height_ * std::fabs(sine))),
      static_cast<int>(std::ceil(width_ * std::fabs(sine) + height_ * std::fabs(cosine))));
  const double centre_x = (width_ - 1) / 2.0, centre_y = (height_ - 1) / 2.0;
  const double new_centre_x = (result.width_ - 1) / 2.0, new_centre_y = (result.height_ - 1) / 2.0;
  size_t index = 0;
  for (int y = 0; y < result.height_; y++) {
    for (int x = 0; x < result.width_; x++, index++) {
      const double from_x = x - new_centre_x, from_y = y - new_centre_y;
      result.pixels_[index] = blended(
          from_x * cosine + from_y * sine + centre_x, from_y * cosine - from_x * sine + centre_y);
    }
  }
  return result;
}
