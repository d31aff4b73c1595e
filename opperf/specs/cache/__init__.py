"""The model cache: files of specifications by their content, fetched once and always checked."""
