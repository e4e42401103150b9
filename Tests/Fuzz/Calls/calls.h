/* The functions of the header, called with the arguments that the numbers of an operation stand for. */
#ifndef CALLS_H
#define CALLS_H

#include "program.h"

/* Begins an input. `storage` is the path in the options of init; NULL if the bridge gives it. */
void calls_begin(const char *storage);

/* Calls the function of an operation; 0 if it is none of the header's. */
int calls_perform(const struct operation *operation);

/* The parts. */
void call_init(const uint8_t *numbers);
void call_attach(const uint8_t *numbers);
void call_detach(const uint8_t *numbers);
void call_abandon(const uint8_t *numbers);
void call_set(const uint8_t *numbers);
void call_clear(const uint8_t *numbers);
void call_next(const uint8_t *numbers);
void call_interrupt(const uint8_t *numbers);
void call_await(const uint8_t *numbers);
void call_free(const uint8_t *numbers);
void call_register(const uint8_t *numbers);
void call_unlock(const uint8_t *numbers);
void call_check_pin(const uint8_t *numbers);
void call_pin_state(const uint8_t *numbers);
void call_change_pin(const uint8_t *numbers);
void call_decide_replacement(const uint8_t *numbers);
void call_enable_biometrics(const uint8_t *numbers);
void call_disable_biometrics(const uint8_t *numbers);
void call_unlock_with_biometrics(const uint8_t *numbers);
void call_cards(const uint8_t *numbers);
void call_present(const uint8_t *numbers);
void call_begin_sharing(const uint8_t *numbers);
void call_choose_sharing(const uint8_t *numbers);
void call_confirm_sharing(const uint8_t *numbers);
void call_refuse_sharing(const uint8_t *numbers);
void call_activities(const uint8_t *numbers);
void call_wipe(const uint8_t *numbers);
void call_refresh(const uint8_t *numbers);
void call_cancel(const uint8_t *numbers);
void call_lock(const uint8_t *numbers);
void call_lifecycle(const uint8_t *numbers);
void call_question(const uint8_t *numbers);
void call_open_app(const uint8_t *numbers);
void call_choose(const uint8_t *numbers);
void call_scanned(const uint8_t *numbers);
void call_option(const uint8_t *numbers);

#endif
