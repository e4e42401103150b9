// SPDX-License-Identifier: Apache-2.0
/* The display: lines on a terminal, and a box over them. */
#ifndef PHONE_DISPLAY_H
#define PHONE_DISPLAY_H

/* With its edges and three lines of help the phone fits a terminal of 80 by 24. */
enum { DISPLAY_WIDTH = 72, DISPLAY_HEIGHT = 14, DISPLAY_BOX_WIDTH = 66 };

/* Starts the display: the lines that follow belong to it. */
void display_start(void);

/* Fills the display up with empty lines, then prints the last line. */
void display_end(const char *last);

/* Prints a line, cut off if it is too long. */
void put(const char *format, ...);

/* Prints an edge of the phone with this character at its corners. */
void rule(char corner);

void box_edge(void);

/* Prints paragraphs in the box; an empty text is an empty line. */
void box(const char *text);

/* Prints a line of the screen, or of the box over it. */
void line(int is_box, const char *format, ...);

/* Prints paragraphs on the screen or in the box. Text below a heading is indented. */
void paragraphs(int is_box, const char *text);

/* Prints an empty line, but never two in a row. */
void gap(int is_box);

#endif
