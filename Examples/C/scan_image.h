// SPDX-License-Identifier: Apache-2.0
/* Grey images for scan.cpp: read from a PNG file, halved and turned. */
#ifndef SCAN_IMAGE_H
#define SCAN_IMAGE_H

#include <cstddef>
#include <cstdint>
#include <vector>

/* One byte per pixel, 255 is white. The destructor wipes it, because it may show a licence. */
class GreyImage {
 public:
  GreyImage(int width, int height);
  ~GreyImage();
  GreyImage(GreyImage &&) = default;
  /* Swaps, so that the old pixels are wiped with the other image. */
  GreyImage &operator=(GreyImage &&other) noexcept;
  GreyImage(const GreyImage &) = delete;
  GreyImage &operator=(const GreyImage &) = delete;

  /* Throws std::runtime_error with a readable reason if the file is not a PNG image or too large. */
  static GreyImage read_png(const char *path);

  /* The image turned clockwise about its centre, on white; no pixel is cut off. */
  GreyImage turned(int degrees) const;

  /* The image at half its width and height; each pixel is the mean of four. */
  GreyImage halved() const;

  int width() const { return width_; }
  int height() const { return height_; }
  size_t size() const { return pixels_.size(); }
  const uint8_t *pixels() const { return pixels_.data(); }

 private:
  uint8_t at(int x, int y) const;
  uint8_t blended(double x, double y) const;

  int width_, height_;
  std::vector<uint8_t> pixels_;
};

#endif
