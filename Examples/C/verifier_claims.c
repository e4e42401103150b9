// SPDX-License-Identifier: Apache-2.0
/* Puts each disclosure where its digest stands; every one is used, and once. */
#include "verifier_claims.h"

#include <string.h>

#include "verifier_jose.h"

enum { DEEPEST = 32, MOST_DISCLOSURES = 512 };

/* `opened` has the disclosures that wait for their place by digest, `seen` every digest met so far. */
struct unfolding {
  json_t *opened, *seen;
};

/* SD-JWT VC forbids to hide these, and all that is in them: a holder could leave them out. */
static int must_be_open(const char *name) {
  static const char *const open[] = {"iss", "nbf",           "exp",      "cnf",
                                     "vct", "vct#integrity", "aka_vcts", "status"};
  for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
    if (strcmp(open[i], name) == 0) {
      return 1;
    }
  }
  return 0;
}

static int is_reserved(const char *name) {
  return strcmp(name, "_sd") == 0 || strcmp(name, "...") == 0 || strcmp(name, "_sd_alg") == 0;
}

/*
 * Takes the disclosure of a digest: an array of `size`. Returns 0 with NULL if the holder does not show
 * it, and -1 if the digest was there before or its disclosure has another form.
 */
static int take(struct unfolding *all, const json_t *digest, size_t size, json_t **disclosure) {
  *disclosure = NULL;
  const char *text = json_string_value(digest);
  if (text == NULL || json_object_get(all->seen, text) != NULL ||
      json_object_set_new(all->seen, text, json_true()) != 0) {
    return -1;
  }
  json_t *found = json_object_get(all->opened, text);
  if (found == NULL) {
    return 0;
  }
  if (json_array_size(found) != size) {
    return -1;
  }
  *disclosure = json_incref(found);
  return json_object_del(all->opened, text);
}

static json_t *unfold(struct unfolding *all, const json_t *value, int depth, int is_open);

/* Adds the disclosed members of an object. */
static int add_hidden(
    struct unfolding *all, const json_t *digests, json_t *members, int depth, int is_open) {
  if (digests != NULL && !json_is_array(digests)) {
    return -1;
  }
  size_t index;
  const json_t *digest;
  json_array_foreach(digests, index, digest) {
    json_t *disclosure;
    if (take(all, digest, 3, &disclosure) != 0) {
      json_decref(disclosure);
      return -1;
    }
    if (disclosure == NULL) {
      continue;
    }
    const char *name = json_string_value(json_array_get(disclosure, 1));
    int is_good = name != NULL && !is_open && !is_reserved(name) &&
                  !(depth == 0 && must_be_open(name)) && json_object_get(members, name) == NULL;
    if (is_good) {
      json_t *inner = unfold(all, json_array_get(disclosure, 2), depth + 1, 0);
      is_good = inner != NULL && json_object_set_new(members, name, inner) == 0;
    }
    json_decref(disclosure);
    if (!is_good) {
      return -1;
    }
  }
  return 0;
}

static json_t *unfold_object(struct unfolding *all, const json_t *object, int depth, int is_open) {
  json_t *members = json_object();
  const char *name;
  json_t *value;
  int is_good = members != NULL;
  json_object_foreach((json_t *)object, name, value) {
    if (strcmp(name, "_sd") == 0 || (depth == 0 && strcmp(name, "_sd_alg") == 0)) {
      continue;
    }
    json_t *inner =
        is_reserved(name)
            ? NULL
            : unfold(all, value, depth + 1, is_open || (depth == 0 && must_be_open(name)));
    is_good = is_good && inner != NULL && json_object_set_new(members, name, inner) == 0;
    if (!is_good) {
      break;
    }
  }
  /* After the open ones, so that none of these is replaced. */
  if (!is_good || add_hidden(all, json_object_get(object, "_sd"), members, depth, is_open) != 0) {
    json_decref(members);
    return NULL;
  }
  return members;
}

/* The value of an element; a hidden one that is not shown is NULL with 0. */
static int unfold_element(
    struct unfolding *all, const json_t *element, int depth, int is_open, json_t **value) {
  const json_t *digest = json_object_get(element, "...");
  if (digest == NULL) {
    *value = unfold(all, element, depth + 1, is_open);
    return *value == NULL ? -1 : 0;
  }
  json_t *disclosure;
  *value = NULL;
  int result = json_object_size(element) == 1 ? take(all, digest, 2, &disclosure) : -1;
  if (result != 0 || disclosure == NULL) {
    return result;
  }
  if (!is_open) {
    *value = unfold(all, json_array_get(disclosure, 1), depth + 1, 0);
  }
  json_decref(disclosure);
  return *value == NULL ? -1 : 0;
}

static json_t *unfold_array(struct unfolding *all, const json_t *array, int depth, int is_open) {
  json_t *elements = json_array();
  size_t index;
  const json_t *element;
  int is_good = elements != NULL;
  json_array_foreach(array, index, element) {
    json_t *value = NULL;
    is_good = is_good && unfold_element(all, element, depth, is_open, &value) == 0 &&
              (value == NULL || json_array_append_new(elements, value) == 0);
    if (!is_good) {
      json_decref(elements);
      return NULL;
    }
  }
  return elements;
}

static json_t *unfold(struct unfolding *all, const json_t *value, int depth, int is_open) {
  if (depth > DEEPEST) {
    return NULL;
  }
  if (json_is_object(value)) {
    return unfold_object(all, value, depth, is_open);
  }
  return json_is_array(value) ? unfold_array(all, value, depth, is_open)
                              : json_incref((json_t *)value);
}

/* Reads the disclosures, by digest. */
static int open_all(json_t *opened, const char *text, size_t length) {
  const char *end = text + length;
  for (int count = 0; text < end; count++) {
    const char *tilde = memchr(text, '~', (size_t)(end - text));
    const size_t size = (size_t)((tilde == NULL ? end : tilde) - text);
    char digest[DIGEST_BYTES];
    json_t *disclosure = base64_json(text, size);
    if (count == MOST_DISCLOSURES || !json_is_array(disclosure) ||
        !json_is_string(json_array_get(disclosure, 0)) || digest_of(text, size, digest) != 0 ||
        json_object_get(opened, digest) != NULL) {
      json_decref(disclosure);
      return -1;
    }
    if (json_object_set_new(opened, digest, disclosure) != 0) {
      return -1;
    }
    text += size + 1;
  }
  return 0;
}

json_t *claims_of(const json_t *payload, const char *disclosures, size_t length) {
  struct unfolding all = {json_object(), json_object()};
  const json_t *algorithm = json_object_get(payload, "_sd_alg");
  json_t *claims = NULL;
  if ((algorithm == NULL ||
       (json_is_string(algorithm) && strcmp(json_string_value(algorithm), "sha-256") == 0)) &&
      all.opened != NULL && all.seen != NULL && open_all(all.opened, disclosures, length) == 0) {
    claims = unfold(&all, payload, 0, 0);
  }
  if (claims != NULL && json_object_size(all.opened) != 0) {
    json_decref(claims);
    claims = NULL;
  }
  json_decref(all.opened);
  json_decref(all.seen);
  return claims;
}
