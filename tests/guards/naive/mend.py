"""A claim after its corrections."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from casegen.schemas import Case, Finding


def mended(case: Case, findings: Iterable[Finding]) -> Case:
    """The case with the corrections of some findings applied; lines keep their numbers."""
    lines = {line.line: line for line in case.claim}
    for finding in findings:
        mend = finding.correction
        line = lines.get(mend.line)
        if line is None:
            # Removed by another finding on the same line.
            continue
        if mend.action == "remove":
            del lines[mend.line]
        elif mend.action == "replace":
            assert mend.replacement is not None
            system = line.system
            if system != "ICD-10-CM":  # a HCPCS code may have ended in favour of one of CPT
                system = "CPT" if mend.replacement[0].isdigit() else "HCPCS"
            lines[mend.line] = replace(line, code=mend.replacement, system=system)
        else:
            assert mend.replacement is not None
            lines[mend.line] = replace(line, modifiers=[*line.modifiers, mend.replacement])
    return replace(case, claim=[lines[n] for n in sorted(lines)])
