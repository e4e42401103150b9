/* Shared by benchmarks that need a card: the identity proofing of a wallet with the PIN 471108. */
#ifndef ENROLMENT_H
#define ENROLMENT_H

#include <wallet_core.h>

/*
 * Opens the app and answers its steps until the provider is ready to issue the PID. `code` and `licence` are files
 * with what a camera would read. Returns the serial of the step that asks for the PIN; 0 and a message if it does not
 * come.
 */
uint64_t enrolment_begin(wallet_core_client client, const char *code, const char *licence);

/* Enters the PIN in that step and waits until the PID is there; 0 if it does not come. */
int enrolment_receive(wallet_core_client client, uint64_t serial);

/* Requests a presentation of one claim of the PID; whether it was accepted. */
wallet_core_status enrolment_present(wallet_core_client client, uint64_t *request);

#endif
