"""The tools of an audit: what they tell is a pure function of claim, note, encounter and tables.

They never see the findings or decoys of a case, and never judge the claim.
"""
