"""The HTML report: data for the page from results, verdicts or histories, and the page itself."""
