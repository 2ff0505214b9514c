"""The tables and figures of the five papers, made anew by the package's own evaluations.

``contents/`` has what each paper prints; one module per paper makes ours; ``runner`` runs them and writes the results.
"""
