"""Recipes that start a fleet's scheduler and workers: systemd, Kubernetes, Slurm, SSH."""
