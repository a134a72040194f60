-- Comparisons used to tell whole rows, with people's names and addresses. What stays is which table differed.
UPDATE app.projection_work SET outcome = split_part(outcome, E'\n', 1) WHERE outcome LIKE E'%\n  - %';
