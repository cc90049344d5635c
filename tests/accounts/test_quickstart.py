"""quickstart: an empty database becomes a served one, and a second run changes nothing."""

from __future__ import annotations

from io import StringIO

from django.core.management import call_command
from django.test import TestCase, override_settings

from neotavern.accounts import selectors
from neotavern.accounts.models import ApiKey, Membership, User
from neotavern.accounts.services.first_team import make_first_team


def run() -> dict[str, str]:
    out = StringIO()
    call_command("quickstart", stdout=out)
    return {line[:11].strip(): line[11:] for line in out.getvalue().splitlines()}


class QuickstartTests(TestCase):
    def test_it_prints_what_works(self) -> None:
        said = run()
        user = User.objects.get(username=said["User name"])
        assert user.check_password(said["Password"])
        actor = selectors.key_actor(said["API key"])
        assert actor is not None
        assert (actor.team_slug, actor.scopes) == ("home", {"read", "render", "write", "admin"})
        assert Membership.objects.get(user=user).role == "owner"

    def test_a_second_run_makes_and_shows_nothing(self) -> None:
        run()
        said = run()
        assert said["Password"].startswith("set before; reset it with: ")
        assert said["API key"].startswith("made before; ")
        assert (User.objects.count(), ApiKey.objects.count()) == (1, 1)

    @override_settings(FIRST_PASSWORD="a password of mine", FIRST_API_KEY="nt_" + "k" * 40)
    def test_given_secrets_replace_the_random_ones(self) -> None:
        run()
        assert User.objects.get().check_password("a password of mine")
        assert selectors.key_actor("nt_" + "k" * 40) is not None

    def test_a_given_password_resets_a_lost_one(self) -> None:
        make_first_team()
        assert make_first_team(password="another one").password == "another one"
        assert User.objects.get().check_password("another one")
        assert make_first_team(password="another one").password is None

    def test_a_given_key_is_added_to_those_there(self) -> None:
        make_first_team()
        assert make_first_team(key="nt_" + "n" * 30).key == "nt_" + "n" * 30
        assert ApiKey.objects.count() == 2
