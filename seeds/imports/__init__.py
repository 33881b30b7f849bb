"""Official tables that a user imported, kept in named sets beside the bundled ones.

``folders`` keeps the sets, one reader a kind takes the published files (``ncci``, ``mue``,
``icd10cm``, ``mce``, ``cpt``), and ``sets`` turns a set into tables to ask.
"""
