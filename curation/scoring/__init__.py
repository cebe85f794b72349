"""What the scores amount to: means, preferences, agreement, comparisons, and signs of how they were given.

    judgements    one person's closed scores on one item, and what is known of its dialogue
    grid          judgements as arrays: dialogues x systems x people
    means         the mean of each dimension, plain, balanced and by prevalence, with intervals
    preference    which reply was preferred, by score or by force, and how often it was the one with a process
    agreeing      agreement of every dimension, and of its parts
    comparing     differences between systems, and whether chance would give them
    signs         straight lines, haste, leaning to a side, own consistency, gold
    table         all of it as the rows that are printed

Nothing here loads numpy before it computes.
"""
