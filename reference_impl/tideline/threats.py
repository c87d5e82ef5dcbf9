"""Section "The context block": the threat scan of facts. The patterns are from the repository.

The notation of a pattern: a space is one or more white space characters, ``~`` is any number of words, each followed by
white space, and everything else is a regular expression that ignores case.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from ..javascript import regexps


class Scope(IntEnum):
    """Scope of a scan; a larger scope includes the smaller ones."""

    ALL = 1
    CONTEXT = 2
    STRICT = 3


@dataclass(frozen=True, slots=True)
class Threat:
    """A pattern and its reported name."""

    name: str
    scope: Scope
    pattern: re.Pattern[str]


# Instructions to a model: to forget, to reveal, or to act without the user's knowledge.
INJECTION = r"""
ignore_instructions       all      ignore ~(previous|all|above|prior) ~instructions
system_prompt_override    all      system prompt override
disregard_rules           all      disregard ~(instructions|rules|guidelines|safety)
no_restrictions           all      act as if ~no (restrictions|rules|limits)
html_comment_injection    all      <!--[^>]*(ignore|override|system prompt|secret|hidden instruction)[^>]*-->
translate_and_execute     all      translate ~and (execute|run|eval)
do_not_tell_user          all      do not (tell|inform|mention to) the user
you_are_now               context  you are ~now (a|an|the)\b
pretend                   context  pretend (you are|to be)
reveal_system_prompt      context  (output|reveal|print|repeat) ~(system|initial|original) prompt
respond_without_safety    context  (respond|answer|reply) without ~(restrictions|filters|safety)
you_have_been_updated     context  you have been (updated|upgraded|patched|reprogrammed) to
"""

# Remote control of an agent, and removal of its traces.
COMMAND_AND_CONTROL = r"""
c2_register_node          context  register as a node
c2_beacon                 context  (heartbeat|beacon|check-in|checkin) (to|with)\b
c2_pull_tasks             context  \bpull ~task(ing|s|)\b
c2_must_connect           context  you must ~(register|connect|report|beacon)\b
c2_framework              context  \b(cobalt strike|sliver|havoc|mythic|metasploit)\b
command_and_control       context  \b(command and control|c2 (server|channel|node))\b
anti_forensic_unset       context  (?-i:\bunset ~(BRIGADE|CLAUDE|ANTHROPIC|OPENAI|AGENT))
identity_override         context  \bname yourself \w
anti_forensic_disk        context  never ~(create|write) ~(script|file) ~disk
anti_forensic_oneliner    context  only use one[\s-]?liners?\b
c2_network_connect        context  connect to the network\b
"""

# Export of secrets, and persistence.
EXFILTRATION = r"""
exfil_curl_secret         all      (curl|wget)\b[^\n]*(KEY|TOKEN|SECRET|PASSWORD)
exfil_cat_secrets         all      \bcat\b[^\n]*(\.env|credentials|\.netrc|\.pgpass|\.npmrc|\.pypirc)\b
exfil_send_url            strict   (send|post|upload|transmit|exfiltrate) ~to https?://
exfil_history             strict   (include|output|print|share|leak|send|reveal|forward) ~(conversation|chat history|full context)
persistence_ssh           strict   authorized_keys|\.ssh\b|\.brigade/\.env
persistence_context_file  strict   (update|modify|append to|overwrite|write to|edit|change|add to) ~(AGENTS\.md|CLAUDE\.md|\.cursorrules|\.clinerules|SOUL\.md)
hardcoded_secret          strict   (api[_-]?key|access[_-]?token|secret|password)\s*[:=]\s*["']([^"']{20,}["']|[^"'\s]{20,})
"""  # noqa: E501 - one pattern a line, so that the columns can be read

# Invisible text: in every scope, reported last.
INVISIBLE = r"""
invisible_unicode         all      [\u200b-\u200d\u2060\u2062-\u2064\ufeff\u202a-\u202e\u2066-\u2069]
"""


def _rows(table: str) -> Iterator[Threat]:
    for row in table.strip().splitlines():
        name, scope, notation = row.split(None, 2)
        source = notation.replace("~", r"(\w+\s+)*").replace(" ", r"\s+")
        yield Threat(name, Scope[scope.upper()], regexps.compile_ignoring_case(source))


THREATS: Final = tuple(
    threat for table in (INJECTION, COMMAND_AND_CONTROL, EXFILTRATION, INVISIBLE) for threat in _rows(table)
)


def scan(content: str, scope: Scope = Scope.STRICT) -> list[str]:
    """The names of the patterns that match in the content, in the order of the tables."""
    return [threat.name for threat in THREATS if threat.scope <= scope and threat.pattern.search(content)]
