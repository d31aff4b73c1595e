"""What every option is set to, who said so, and how long and how precisely to measure."""
