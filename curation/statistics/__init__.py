"""Agreement, ratings and tests: the numbers that are printed, and what has to be known to believe them.

    agreement       every coefficient on one table of ratings, with intervals
    two_raters      two raters against each other, with the confusion table
    screening       two raters on keeping and on the situation, by situation and family, over time
    live            the same figures, kept up with every single change
    ratings         Bradley-Terry and Elo from battles
    tests           Wilson, exact sign and McNemar, sign flips, Holm
    tables          ratings and votes from CSV and JSON lines

Nothing here loads numpy before it computes.
"""

from curation.statistics.figures import Level, Statistic, Status, Weights

__all__ = ["Level", "Statistic", "Status", "Weights"]
