/*
 * How long a test waits for an event: the one deadline of all tests, in every language.
 *
 * A test waits for an event, never for a time. The deadline only ends a test whose event never
 * comes, so it is far longer than any machine needs, however busy. A time that is the subject of
 * a test, such as a time-out of the product or "for a moment nothing comes", is in that test.
 *
 * Swift has it from the module TestSupport, bash from patience.sh, Python from patience.py; those
 * two read the line below.
 */
#ifndef TEST_PATIENCE_H
#define TEST_PATIENCE_H

#define TEST_PATIENCE_MS 120000

#endif
