"""Language models behind a port of one method; text in, text out, nothing else."""
