"""Which answers a relying party for tests takes, and which mistakes it notices."""

from party_jose import CIPHERS
from pid_issuer import base64url, new_key
from testing_program import Case

GIVEN_NAME, NESTED = [["given_name"]], [["age_equal_or_over", "18"]]


class AnswerTests(Case):
    def test_a_right_answer_is_taken(self):
        for options, paths in (
            ({}, GIVEN_NAME), ({"claims": NESTED}, NESTED), ({"claims": []}, []), ({"state": None}, GIVEN_NAME),
            ({"claims": [["age_equal_or_over"]]}, [["age_equal_or_over", "18"], ["age_equal_or_over", "65"]]),
            ({"enc": None}, GIVEN_NAME), ({"enc": ["A256GCM"]}, GIVEN_NAME), ({"method": "get"}, GIVEN_NAME),
        ):
            with self.subTest(options):
                asked, _ = self.fetched(**options)
                state = {"state": asked["state"]} if "state" in asked.members else {}
                shown = self.presented(asked, paths)
                cipher = asked["client_metadata"].get("encrypted_response_enc_values_supported", list(CIPHERS))[0]
                form = self.wallet.sealed(asked, {"vp_token": {"card": [shown]}, **state}, cipher)
                status, reply, _ = self.wallet.post(asked, form)
                told = self.program.told("answered")
                self.assertEqual((told["problem"], told["posts"], status), (None, 1, 200))
                self.assertEqual((told["vp_token"], told["header"]["enc"]), ({"card": [shown]}, cipher))
                self.assertEqual(reply, {"redirect_uri": told["redirect"]})
                self.assertTrue(told["redirect"].startswith("https://shop.localhost/done?code="))

    def test_the_next_page_is_the_one_that_was_given(self):
        for page in ("https://a.example/", None):
            asked, _ = self.fetched(redirect=page)
            _, reply, _, _ = self.answered(asked)
            self.assertEqual(reply, {"redirect_uri": page} if page else {})

    def test_an_error_is_told(self):
        asked, _ = self.fetched()
        status, _, _ = self.wallet.post(asked, {"error": "access_denied", "state": asked["state"]})
        told = self.program.told("answered")
        self.assertEqual((status, told["error"], told["problem"]), (200, "access_denied", None))
        for form, problem in (
            ({"error": "access_denied"}, "the state is None"), ({"error": "oops"}, "the error is oops"),
            ({"error": "access_denied", "why": "no card"}, "members that an error does not have"),
        ):
            asked, _ = self.fetched(state="s")
            self.wallet.post(asked, form if "state" in problem else {"state": "s", **form})
            self.assertEqual(self.program.told("answered")["problem"], problem)

    def test_mistakes_in_a_presentation_are_noticed(self):
        def binding(**changes):
            return lambda draft: draft.binding.update(changes)

        def stranger(draft):
            draft.binding_key = new_key()

        for problem, change in (
            ("the binding's aud is shop", binding(aud="shop")),
            ("the binding's nonce is n", binding(nonce="n")),
            ("the binding's sd_hash is that of something else", binding(sd_hash="a")),
            ("the binding is of 1", binding(iat=1)),
            ("the binding is for other transactions", binding(transaction_data_hashes=["a"])),
            ("kb+jwt: typ is JWT", lambda draft: draft.binding_header.update(typ="JWT")),
            ("kb+jwt: alg is ES384", lambda draft: draft.binding_header.update(alg="ES384")),
            ("kb+jwt: the signature is wrong", stranger),
            ("dc+sd-jwt: the signature is wrong", lambda draft: setattr(draft, "key", new_key())),
            ("dc+sd-jwt: typ is JWT", lambda draft: draft.header.update(typ="JWT")),
            ("a card of another type: urn:a", lambda draft: draft.payload.update(vct="urn:a")),
            ("the card has expired", lambda draft: draft.payload.update(exp=1)),
            ("a presentation that is not bound", lambda draft: setattr(draft, "binding_header", None)),
            ("a claim that was asked for is missing", lambda draft: draft.shown.clear()),
            ("a claim that was not asked for",
             lambda draft: draft.shown.append(draft.disclosures[("family_name",)])),
            ("a disclosure appears twice", lambda draft: draft.shown.append(draft.shown[0])),
            ("a disclosure that no digest", lambda draft: draft.shown.append(base64url(b'["s","a",1]'))),
        ):
            with self.subTest(problem):
                asked, _ = self.fetched()
                status, reply, _, told = self.answered(asked, self.presented(asked, change=change))
                self.assertEqual((status, reply), (400, {"error": "invalid_request"}))
                self.assertTrue((told["problem"] or "").startswith(problem), told["problem"])

    def test_mistakes_around_presentations_are_noticed(self):
        asked, _ = self.fetched()
        shown, state = self.presented(asked), asked["state"]
        right = {"vp_token": {"card": [shown]}, "state": state}
        for problem, content, header in (
            ("presentations are not in an array", {"vp_token": {"card": shown}, "state": state}, {}),
            ("several presentations for one query", {"vp_token": {"card": [shown] * 2}, "state": state}, {}),
            ("an answer to no query", {"vp_token": {"card": [shown], "b": [shown]}, "state": state}, {}),
            ("a card that was asked for is missing", {"vp_token": {}, "state": state}, {}),
            ("the state is None", {"vp_token": {"card": [shown]}}, {}),
            ("the state is other", right | {"state": "other"}, {}),
            ("the answer's kid is None", right, {"kid": None}), ("the answer has zip or crit", right, {"zip": "DEF"}),
        ):
            with self.subTest(problem):
                asked, _ = self.fetched(members={"nonce": asked["nonce"]}, state=state)
                self.wallet.post(asked, self.wallet.sealed(asked, content, **header))
                self.assertEqual(self.program.told("answered")["problem"], problem)
        for form, problem in (
            ({"vp_token": "{}"}, "the form has other members than response"), ({"response": "a"}, "not base64url"),
            (self.wallet.sealed(asked, right) | {"state": state}, "the form has other members than response"),
        ):
            asked, _ = self.fetched(state=state)
            self.wallet.post(asked, form)
            self.assertEqual(self.program.told("answered")["problem"], problem)

    def test_an_answer_counts_once_in_time_and_for_a_fetched_request(self):
        asked, _ = self.fetched()
        self.answered(asked)
        status, _, _, told = self.answered(asked)
        self.assertEqual((status, told["posts"], told["problem"]), (400, 2, "the request was answered before"))
        late, _ = self.fetched(expires_in=-1)
        self.assertEqual(self.answered(late)[3]["problem"], "the request had expired")
        early, _ = self.fetched(now=self.issuer.now - 1000)
        self.assertTrue(self.answered(early)[3]["problem"].startswith(f"the binding is of {self.issuer.now}, now is "))
        unasked = self.program.ask()
        asked.members["response_uri"] = asked["response_uri"].rpartition("/")[0] + "/" + unasked["id"]
        self.wallet.post(asked, {"error": "access_denied", "state": unasked["state"]})
        self.assertEqual(self.program.told("answered")["problem"], "the object was never fetched")

    def test_values_and_sets_of_claims_are_compared(self):
        claims = [{"id": "a", "path": ["given_name"], "values": ["Nobody"]}, {"id": "b", "path": ["birthdate"]}]
        query = {"id": "card", "format": "dc+sd-jwt", "meta": {}, "claims": claims, "claim_sets": [["a"], ["b"]]}
        for paths, problem in (
            ([["birthdate"]], None), (GIVEN_NAME, "a claim that was asked for is missing: ['given_name']"),
            ([["birthdate"], ["given_name"]], "a claim that was asked for is missing: ['given_name']"),
        ):
            asked, _ = self.fetched(query={"credentials": [query]})
            self.assertEqual(self.answered(asked, self.presented(asked, paths))[3]["problem"], problem)
