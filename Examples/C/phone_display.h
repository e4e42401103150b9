// SPDX-License-Identifier: Apache-2.0
/* The display: lines on a terminal, and a box that stands over them. */
#ifndef PHONE_DISPLAY_H
#define PHONE_DISPLAY_H

/* With its edges and three lines of help the phone fits a terminal of 80 by 24. */
enum { DISPLAY_WIDTH = 72, DISPLAY_HEIGHT = 14, DISPLAY_BOX_WIDTH = 66 };

/* The lines that follow are those of the display. */
void display_start(void);

/* Fills it up with empty lines, and then the one below them. */
void display_end(const char *last);

/* A line, cut off where it is too long. */
void put(const char *format, ...);

/* An edge of the phone, with that corner. */
void rule(char corner);

void box_edge(void);

/* Paragraphs in the box, or an empty line of it. */
void box(const char *text);

/* Either a line of the screen or one of the box that stands over it. */
void line(int is_box, const char *format, ...);

/* Paragraphs, likewise. The text below a heading is set in. */
void paragraphs(int is_box, const char *text);

/* An empty line, but never two of them. */
void gap(int is_box);

#endif
