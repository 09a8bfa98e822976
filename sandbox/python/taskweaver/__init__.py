"""What TaskWeaver's plugins and cells meet inside the sandbox. Pure Python, no engine's peculiarities."""
