"""What measuring needs: no module here knows an operator or imports a framework."""
