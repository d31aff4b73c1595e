"""What many verbs share: options, messages, output, stores, and which results are chosen."""
