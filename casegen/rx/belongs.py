"""What belongs to a condition: a record without it would look forgotten.

Atrial fibrillation from 65 years on asks for an anticoagulant (ACC/AHA/ACCP/HRS Guideline 2023
for atrial fibrillation, 6.3: by CHA2DS2-VASc, in which an age from 65 gives a point and one from
75 two). Persistent asthma asks for an inhaled corticosteroid (NAEPP Focused Updates 2020, from
step 2 on).
"""

from __future__ import annotations

from .model import Sketch

FIBRILLATION = frozenset(("atrial_fibrillation", "paroxysmal_af", "persistent_af"))
_OLD = 65 * 12
_ANTICOAGULANTS = ("apixaban", "rivaroxaban", "warfarin", "dabigatran")
_STEROIDS = ("salmeterol-fluticasone",)


def lacking(sketch: Sketch, problem: str) -> tuple[str, ...]:
    """The drugs of which one belongs to a problem while none is there; () where all is well."""
    if problem in FIBRILLATION and sketch.months >= _OLD:
        return () if _there(sketch, "anticoagulant") else _ANTICOAGULANTS
    if problem == "asthma":
        return () if _there(sketch, "inhaled-corticosteroid") else _STEROIDS
    return ()


def _there(sketch: Sketch, kind: str) -> bool:
    return any(kind in sketch.known.kin[drug] for drug in (*sketch.medications, sketch.drug.id))
