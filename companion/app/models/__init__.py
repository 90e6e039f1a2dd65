"""What the screens show, as plain data: view-models that know nothing of widgets."""
