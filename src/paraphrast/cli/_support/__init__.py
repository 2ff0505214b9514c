"""What commands share; no command lives here."""
